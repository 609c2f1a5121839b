// Multi-head self-attention with an encoding's hooks. Parameter names are those of torch.nn.MultiheadAttention.
#pragma once

#include <torch/torch.h>

#include "model/dropout.h"
#include "model/linear.h"
#include "posenc/encoding.h"

namespace posenc {

class SelfAttention : public torch::nn::Module {
 public:
  SelfAttention(int64_t d_model, int64_t heads, bool causal = false);
  void reset_parameters(at::Generator& generator);

  // x (B,L,D), positions (L) -> (B,L,D)
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& positions, Encoding& encoding, int64_t layer,
                        const Dropout& dropout) const;

 private:
  int64_t heads_;
  bool causal_;
  torch::Tensor in_proj_weight_;  // (3D,D): query, key, value
  torch::Tensor in_proj_bias_;    // (3D)
  std::shared_ptr<Linear> out_proj_;
};

}  // namespace posenc
