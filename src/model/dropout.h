// Dropout whose masks come from a generator that is passed in.
#pragma once

#include <torch/torch.h>

#include <optional>

namespace posenc {

class Dropout {
 public:
  // Evaluation: keeps everything and draws nothing.
  Dropout() = default;

  // Training: each element is dropped with `probability`, the others divided by 1 - probability. 0 draws nothing.
  Dropout(double probability, at::Generator generator)
      : probability_(probability), generator_(probability > 0 ? std::optional(generator) : std::nullopt) {}

  torch::Tensor operator()(const torch::Tensor& x) const { return apply(x, torch::empty_like(x)); }

  // x (B,L,D), whose mask is drawn in the memory order of (L,B,D): what PyTorch's attention does to its output.
  torch::Tensor length_first(const torch::Tensor& x) const {
    if (!generator_) return x;
    return apply(x, torch::empty({x.size(1), x.size(0), x.size(2)}, x.options()).transpose(0, 1));
  }

 private:
  // The mask is filled in the memory order of `mask`.
  torch::Tensor apply(const torch::Tensor& x, const torch::Tensor& mask) const {
    if (!generator_) return x;
    mask.bernoulli_(1 - probability_, *generator_).div_(1 - probability_);
    return x * mask;
  }

  double probability_ = 0;
  std::optional<at::Generator> generator_;
};

}  // namespace posenc
