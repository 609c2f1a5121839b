// Multi-head self-attention with an encoding's hooks. Parameter names are those of torch.nn.MultiheadAttention.
#pragma once

#include <torch/torch.h>

#include "kernels/layer.h"
#include "model/dropout.h"
#include "nn/linear.h"
#include "posenc/encoding.h"

namespace posenc {

// What all layers of one forward pass share.
struct Pass {
  torch::Tensor positions;  // (L) as in AttentionInput
  Encoding& encoding;
  const Dropout& dropout;
  double score_factor = 1;                        // of q.k / sqrt(d)
  std::shared_ptr<kernels::Workspace> workspace;  // of the fused kernels; null: LibTorch's operators
};

class SelfAttention : public torch::nn::Module {
 public:
  SelfAttention(int64_t d_model, int64_t heads, bool causal = false);
  void reset_parameters(at::Generator& generator);

  // x (B,L,D) -> (B,L,D)
  torch::Tensor forward(const torch::Tensor& x, int64_t layer, const Pass& pass) const;

  // x (B,L,D) -> queries, keys and values (3,B,H,L,d), not rotated
  torch::Tensor project(const torch::Tensor& x) const;

  int64_t heads() const { return heads_; }
  bool causal() const { return causal_; }

 private:
  int64_t heads_;
  bool causal_;
  torch::Tensor in_proj_weight_;  // (3D,D): query, key, value
  torch::Tensor in_proj_bias_;    // (3D)
  std::shared_ptr<Linear> out_proj_;
};

}  // namespace posenc
