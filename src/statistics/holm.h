// Many p values at once.
#pragma once

#include <span>
#include <vector>

namespace posenc {

// Holm's step-down adjustment (Holm 1979, "A simple sequentially rejective multiple test procedure"): the k-th smallest
// of m p values times m - k + 1, at least the adjusted one before it and at most 1. In the order given. A nan, a test
// that was not done, stays nan and does not count among the m. Throws posenc::Error on a p value outside 0..1.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace posenc
