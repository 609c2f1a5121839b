// torch::nn::Linear and torch::nn::Embedding with one difference: their weights are drawn from a generator that is
// passed in, and constructing them draws nothing. Same names, same distributions, same order of draws.
#pragma once

#include <torch/torch.h>

namespace posenc {

class Linear : public torch::nn::Module {
 public:
  Linear(int64_t inputs, int64_t outputs);
  void reset_parameters(at::Generator& generator);
  torch::Tensor forward(const torch::Tensor& x) const { return torch::linear(x, weight, bias); }

  torch::Tensor weight;  // (outputs,inputs)
  torch::Tensor bias;    // (outputs)
};

class TokenEmbedding : public torch::nn::Module {
 public:
  TokenEmbedding(int64_t vocab, int64_t d_model);
  void reset_parameters(at::Generator& generator);
  torch::Tensor forward(const torch::Tensor& tokens) const { return torch::embedding(weight, tokens); }

  torch::Tensor weight;  // (vocab,D)
};

}  // namespace posenc
