// Whether runs fall into two kinds, as those that found the solution and those that did not.
#pragma once

#include <cstdint>
#include <span>

namespace posenc {

struct Mode {
  std::int64_t count;
  double mean;  // nan of none
};

struct Modes {
  bool bimodal;
  Mode lower, upper;  // of the best split, whether it is bimodal or not; where there is no split, all values are lower
};

// The ascending values are split where the squares within the two groups sum to the least (Fisher 1958, "On grouping
// for maximum homogeneity"), with at least 2 values and a tenth of them on each side. They are bimodal where the gap
// between the groups is more than 5 times the larger standard deviation of the two, or more than 40/n times below 8
// values; it implies an Ashman's D above 5. Fewer than 4 values are never bimodal. Of samples from unimodal
// distributions under 5 % are called bimodal (docs/STATISTICS.md has the measured rates); a lone outlier is no mode.
//
// `step` is the least step of an outcome, such as 1 / sequences of an accuracy, and 0 of a continuous one: no deviation
// counts as less than that, so that 0.995 and 1 are not two kinds because two groups repeat themselves.
// Throws posenc::Error on a value that is not finite.
Modes find_modes(std::span<const double> values, double step = 0);

}  // namespace posenc
