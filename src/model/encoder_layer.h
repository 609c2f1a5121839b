// An encoder layer, as torch.nn.TransformerEncoderLayer(batch_first=True) with its parameter names.
#pragma once

#include <torch/torch.h>

#include "model/attention.h"

namespace posenc {

// Where a layer normalises: after each residual sum, or (norm_first=True) what goes into attention and feed-forward.
enum class Norm { post, pre };

class EncoderLayer : public torch::nn::Module {
 public:
  EncoderLayer(int64_t d_model, int64_t heads, int64_t ffn, bool causal, Norm norm = Norm::post,
               double norm_eps = 1e-5);
  void reset_parameters(at::Generator& generator);

  // x (B,L,D) -> (B,L,D). The kernels have post-norm layers alone; others take operators whatever `pass` has. `layer`
  // is this layer's number, from 0.
  torch::Tensor forward(const torch::Tensor& x, int64_t layer, const Pass& pass);

 private:
  torch::Tensor feed_forward(const torch::Tensor& x, const Dropout& dropout) const;  // (B,L,D) -> (B,L,D)
  torch::Tensor fused(const torch::Tensor& x, int64_t layer, const Pass& pass) const;

  Norm norm_;
  std::shared_ptr<SelfAttention> self_attn_;
  std::shared_ptr<Linear> linear1_, linear2_;
  torch::nn::LayerNorm norm1_, norm2_;
  std::vector<torch::Tensor> weights_;  // all of them, in the order of kernels::LayerWeights
};

}  // namespace posenc
