#include "model/encoder_layer.h"

namespace posenc {

using torch::Tensor;

EncoderLayer::EncoderLayer(int64_t d_model, int64_t heads, int64_t ffn, bool causal)
    : self_attn_(register_module("self_attn", std::make_shared<SelfAttention>(d_model, heads, causal))),
      linear1_(register_module("linear1", std::make_shared<Linear>(d_model, ffn))),
      linear2_(register_module("linear2", std::make_shared<Linear>(ffn, d_model))),
      norm1_(register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({d_model})))),
      norm2_(register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({d_model})))) {}

void EncoderLayer::reset_parameters(at::Generator& generator) {
  self_attn_->reset_parameters(generator);
  linear1_->reset_parameters(generator);
  linear2_->reset_parameters(generator);
  norm1_->reset_parameters();  // ones and zeros
  norm2_->reset_parameters();
}

Tensor EncoderLayer::forward(const Tensor& x, int64_t layer, const Pass& pass) {
  const Dropout& dropout = pass.dropout;
  const Tensor attended = self_attn_->forward(x, layer, pass);
  const Tensor middle = norm1_->forward(x + dropout.length_first(attended));
  const Tensor hidden = dropout(torch::relu(linear1_->forward(middle)));  // (B,L,F)
  return norm2_->forward(middle + dropout(linear2_->forward(hidden)));
}

}  // namespace posenc
