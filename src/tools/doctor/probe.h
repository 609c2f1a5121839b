// A small model of a configuration, in double precision on LibTorch's operators, with tokens to try it on.
#pragma once

#include <torch/torch.h>

#include "model/tiny_transformer.h"
#include "posenc/run_config.h"

namespace posenc {

struct Probe {
  // Weights that start as zeros are drawn, so that they count.
  explicit Probe(const RunConfig& config);

  int64_t length() const { return tokens.size(1); }
  torch::Tensor logits(const torch::Tensor& tokens, const torch::Tensor& positions);
  torch::Tensor permuted() const;  // the tokens in another order

  // Whether some sequence is another one when permuted, and not its reversal; and when reversed.
  bool permutation_shows() const;
  bool reversal_shows() const;

  RunConfig config;
  std::shared_ptr<TinyTransformer> model;
  torch::Tensor tokens;     // (16,L)
  torch::Tensor labels;     // (16)
  torch::Tensor positions;  // (L), or with a BOS token (L+1)

 private:
  torch::Tensor order_;  // (L), of permuted()
};

// The greatest absolute difference of two tensors; nan counts as infinite.
double difference(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace posenc
