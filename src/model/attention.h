// Multi-head self-attention with an encoding's hooks. Parameter names are those of torch.nn.MultiheadAttention.
#pragma once

#include <torch/torch.h>

#include "model/dropout.h"
#include "model/linear.h"
#include "posenc/encoding.h"

namespace posenc {

// What all layers of one forward pass share.
struct Pass {
  torch::Tensor positions;  // (L) as in AttentionInput
  Encoding& encoding;
  const Dropout& dropout;
  double score_factor = 1;  // of q.k / sqrt(d)
};

class SelfAttention : public torch::nn::Module {
 public:
  SelfAttention(int64_t d_model, int64_t heads, bool causal = false);
  void reset_parameters(at::Generator& generator);

  // x (B,L,D) -> (B,L,D)
  torch::Tensor forward(const torch::Tensor& x, int64_t layer, const Pass& pass) const;

 private:
  int64_t heads_;
  bool causal_;
  torch::Tensor in_proj_weight_;  // (3D,D): query, key, value
  torch::Tensor in_proj_bias_;    // (3D)
  std::shared_ptr<Linear> out_proj_;
};

}  // namespace posenc
