// Statistics of results. No torch.
#pragma once

#include <cstdint>

namespace posenc {

struct Interval {
  double lower, upper;
};

// The central 95 % of what guessing reaches: the share of `count` independent sequences that are right when each is
// right with probability `rate`, from exact binomial quantiles. count >= 1, rate 0..1.
Interval guessing_band(std::int64_t count, double rate);

}  // namespace posenc
