// A small model of a configuration, in double precision on LibTorch's operators, with tokens to try it on.
#pragma once

#include <torch/torch.h>

#include "model/tiny_transformer.h"
#include "posenc/run_config.h"

namespace posenc {

struct Probe {
  // Weights that start as zeros are drawn, so that they count. Tokens are not the same in any two places where the
  // vocabulary allows.
  explicit Probe(const RunConfig& config);

  int64_t length() const { return tokens.size(1); }
  torch::Tensor logits(const torch::Tensor& tokens, const torch::Tensor& positions);
  torch::Tensor permuted() const;  // the tokens in another order, which is no reversal

  RunConfig config;
  std::shared_ptr<TinyTransformer> model;
  torch::Tensor tokens;     // (4,L)
  torch::Tensor labels;     // (4)
  torch::Tensor positions;  // (L), or with a BOS token (L+1)
};

// The greatest absolute difference of two tensors; nan counts as infinite.
double difference(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace posenc
