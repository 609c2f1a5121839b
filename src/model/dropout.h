// Dropout whose masks come from a generator that is passed in.
#pragma once

#include <torch/torch.h>

#include <optional>

namespace posenc {

// Whether masks drawn in bulk (kernels/dropout_bits.h) are bit by bit those of this LibTorch's bernoulli_. Tried once.
bool bulk_masks_equal_torch();

class Dropout {
 public:
  // Evaluation: keeps everything and draws nothing.
  Dropout() = default;

  // Training: each element is dropped with `probability`, the others divided by 1 - probability. 0 draws nothing.
  Dropout(double probability, at::Generator generator)
      : probability_(probability), generator_(probability > 0 ? std::optional(generator) : std::nullopt) {}

  torch::Tensor operator()(const torch::Tensor& x) const { return apply(x, torch::empty_like(x)); }

  bool drops() const { return generator_.has_value(); }
  double probability() const { return probability_; }

  // The mask of a (rows,columns) tensor on the CPU, as kernels::draw_bits() writes it; the numbers drawn are those that
  // operator() would draw for it. Only where drops().
  void bits(int64_t rows, int64_t columns, uint32_t* bits) const;

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
