#include "nn/linear.h"

#include <cmath>

namespace posenc {

Linear::Linear(int64_t inputs, int64_t outputs)
    : weight(register_parameter("weight", torch::zeros({outputs, inputs}))),
      bias(register_parameter("bias", torch::zeros({outputs}))) {}

// PyTorch's default: Kaiming uniform with a = sqrt(5), which is U(-1/sqrt(inputs), 1/sqrt(inputs)) for both.
void Linear::reset_parameters(at::Generator& generator) {
  const torch::NoGradGuard no_grad;
  const double bound = 1 / std::sqrt(static_cast<double>(weight.size(1)));
  weight.uniform_(-bound, bound, generator);
  bias.uniform_(-bound, bound, generator);
}

TokenEmbedding::TokenEmbedding(int64_t vocab, int64_t d_model)
    : weight(register_parameter("weight", torch::zeros({vocab, d_model}))) {}

void TokenEmbedding::reset_parameters(at::Generator& generator) {
  const torch::NoGradGuard no_grad;
  weight.normal_(0, 1, generator);
}

}  // namespace posenc
