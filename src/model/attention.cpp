#include "model/attention.h"

#include <cmath>
#include <limits>

namespace posenc {

using torch::Tensor;

SelfAttention::SelfAttention(int64_t d_model, int64_t heads, bool causal)
    : heads_(heads),
      causal_(causal),
      in_proj_weight_(register_parameter("in_proj_weight", torch::zeros({3 * d_model, d_model}))),
      in_proj_bias_(register_parameter("in_proj_bias", torch::zeros({3 * d_model}))),
      out_proj_(register_module("out_proj", std::make_shared<Linear>(d_model, d_model))) {}

// torch.nn.MultiheadAttention draws its output projection before its input projection (Xavier uniform).
void SelfAttention::reset_parameters(at::Generator& generator) {
  const torch::NoGradGuard no_grad;
  out_proj_->reset_parameters(generator);
  out_proj_->bias.zero_();
  const double bound = std::sqrt(6.0 / static_cast<double>(in_proj_weight_.size(0) + in_proj_weight_.size(1)));
  in_proj_weight_.uniform_(-bound, bound, generator);
  in_proj_bias_.zero_();
}

Tensor SelfAttention::project(const Tensor& x) const {
  return torch::linear(x, in_proj_weight_, in_proj_bias_)  // (B,L,3D)
      .view({x.size(0), x.size(1), 3, heads_, x.size(2) / heads_})
      .permute({2, 0, 3, 1, 4});
}

Tensor SelfAttention::forward(const Tensor& x, int64_t layer, const Pass& pass) const {
  const int64_t batch = x.size(0), length = x.size(1), d_model = x.size(2), head_width = d_model / heads_;
  const Tensor qkv = project(x);
  const Tensor v = qkv[2];
  const auto [q, k] = pass.encoding.rotate(qkv[0], qkv[1], pass.positions, layer);

  const double scale = pass.score_factor / std::sqrt(static_cast<double>(head_width));
  Tensor scores = torch::matmul(q * scale, k.transpose(-2, -1));  // (B,H,L,L)
  if (const Tensor bias = pass.encoding.bias({x, q, k, pass.positions, layer}); bias.defined()) scores = scores + bias;

  if (causal_) {
    const Tensor later = torch::ones({length, length}, scores.options().dtype(torch::kBool)).triu(/*diagonal=*/1);
    scores = scores.masked_fill(later, -std::numeric_limits<double>::infinity());
  }

  const Tensor probabilities = pass.dropout(torch::softmax(scores, /*dim=*/-1));
  Tensor heads = torch::matmul(probabilities, v);  // (B,H,L,d)
  if (const Tensor extra = pass.encoding.values(probabilities, pass.positions, layer); extra.defined())
    heads = heads + extra;
  return out_proj_->forward(heads.transpose(1, 2).reshape({batch, length, d_model}));
}

}  // namespace posenc
