// What an encoding computes from positions alone, kept while the positions stay the same: those of every step do,
// unless a wrapper draws them.
#pragma once

#include <torch/torch.h>

namespace posenc {

template <typename Value>
class OfPositions {
 public:
  // compute() for these positions, or what it gave for the same ones.
  template <typename Compute>
  const Value& get(const torch::Tensor& positions, const Compute& compute) const {
    const bool same = positions_.defined() && (positions_.is_same(positions) || torch::equal(positions_, positions));
    if (!same) {
      // What evaluation computes may be met again in training, which inference tensors must not be.
      const torch::InferenceMode no_inference(false);
      value_ = compute();
      positions_ = positions;
    }
    return value_;
  }

 private:
  mutable torch::Tensor positions_;
  mutable Value value_;
};

}  // namespace posenc
