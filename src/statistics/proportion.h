// Shares of a count: what guessing reaches, and how many of the runs did something.
#pragma once

#include <cstdint>

#include "statistics/interval.h"

namespace posenc {

// The central 95 % of what guessing reaches: the share of `count` independent sequences that are right when each is
// right with probability `rate`, from exact binomial quantiles. Both ends belong to it: guessing is below the lower one
// with a probability of less than 0.025, and above the upper one with at most that. count >= 1, rate 0..1.
Interval guessing_band(std::int64_t count, double rate);

// The share of n runs that succeeded, 0..1, with its 95 % interval (Wilson 1927, "Probable inference, the law of
// succession, and statistical inference"), which keeps a width at 0 and at n of n. n = 0 has no interval
// (Why::no_values). Throws posenc::Error unless 0 <= successes <= n.
Estimate wilson_interval(std::int64_t successes, std::int64_t n);

}  // namespace posenc
