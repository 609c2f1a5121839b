#include "model/encoder_layer.h"

#include <cmath>

#include "model/fused_layer.h"

namespace posenc {

using torch::Tensor;

EncoderLayer::EncoderLayer(int64_t d_model, int64_t heads, int64_t ffn, bool causal, Norm norm, double norm_eps)
    : norm_(norm),
      self_attn_(register_module("self_attn", std::make_shared<SelfAttention>(d_model, heads, causal))),
      linear1_(register_module("linear1", std::make_shared<Linear>(d_model, ffn))),
      linear2_(register_module("linear2", std::make_shared<Linear>(ffn, d_model))),
      norm1_(register_module("norm1", torch::nn::LayerNorm(torch::nn::LayerNormOptions({d_model}).eps(norm_eps)))),
      norm2_(register_module("norm2", torch::nn::LayerNorm(torch::nn::LayerNormOptions({d_model}).eps(norm_eps)))),
      // A module's parameters come in the order of registration: that of LayerWeights.
      weights_(parameters()) {}

void EncoderLayer::reset_parameters(at::Generator& generator) {
  self_attn_->reset_parameters(generator);
  linear1_->reset_parameters(generator);
  linear2_->reset_parameters(generator);
  norm1_->reset_parameters();  // ones and zeros
  norm2_->reset_parameters();
}

Tensor EncoderLayer::forward(const Tensor& x, int64_t layer, const Pass& pass) {
  const Dropout& dropout = pass.dropout;
  if (norm_ == Norm::pre) {
    const Tensor middle = x + dropout.length_first(self_attn_->forward(norm1_->forward(x), layer, pass));
    return middle + feed_forward(norm2_->forward(middle), dropout);
  }
  if (pass.workspace != nullptr) return fused(x, layer, pass);
  const Tensor middle = norm1_->forward(x + dropout.length_first(self_attn_->forward(x, layer, pass)));
  return norm2_->forward(middle + feed_forward(middle, dropout));
}

Tensor EncoderLayer::feed_forward(const Tensor& x, const Dropout& dropout) const {
  const Tensor hidden = dropout(torch::relu(linear1_->forward(x)));  // (B,L,F)
  return dropout(linear2_->forward(hidden));
}

Tensor EncoderLayer::fused(const Tensor& x, int64_t layer, const Pass& pass) const {
  FusedLayerInput input{.x = x};
  switch (pass.encoding.reads()) {
    case Encoding::Reads::positions:
      input.bias = pass.encoding.bias({x, x, x, pass.positions, layer});  // looks at no more than their options
      input.rotation = pass.encoding.rotation(pass.positions);
      break;
    case Encoding::Reads::content: {
      const Tensor qkv = self_attn_->project(x);
      const std::vector<Tensor> parts =
          qkv.unbind(0);  // whose gradients are joined at once, those of selects one by one
      const auto [q, k] = pass.encoding.rotate(parts[0], parts[1], pass.positions, layer);
      input.bias = pass.encoding.bias({x, q, k, pass.positions, layer});
      // Packed again as (B,L,3D): a view where nothing was rotated.
      const Tensor packed = q.is_alias_of(qkv) ? qkv : torch::stack({q, k, parts[2]});
      input.projected = packed.permute({1, 3, 0, 2, 4}).flatten(2);
      break;
    }
    case Encoding::Reads::probabilities:
      input.attended = self_attn_->forward(x, layer, pass);
  }
  const double heads = static_cast<double>(self_attn_->heads()), d_model = static_cast<double>(x.size(2));
  const kernels::LayerSizes sizes{.batch = static_cast<std::size_t>(x.size(0)),
                                  .length = static_cast<std::size_t>(x.size(1)),
                                  .d_model = static_cast<std::size_t>(x.size(2)),
                                  .heads = static_cast<std::size_t>(self_attn_->heads()),
                                  .ffn = static_cast<std::size_t>(linear1_->weight.size(0)),
                                  .causal = self_attn_->causal(),
                                  .score_scale = static_cast<float>(pass.score_factor / std::sqrt(d_model / heads)),
                                  .norm_eps = static_cast<float>(norm1_->options.eps())};
  return fused_layer(sizes, input, weights_, pass.dropout, pass.workspace);
}

}  // namespace posenc
