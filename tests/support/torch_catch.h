// torch defines a CHECK of its own: it comes first, and Catch2's wins.
#pragma once

#include <torch/torch.h>

#undef CHECK
#include "support/catch.h"

namespace posenc {

// max |a - b|, in double precision.
inline double greatest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs().max().item<double>();
}

}  // namespace posenc
