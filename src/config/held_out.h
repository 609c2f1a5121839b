// How many pairs of first and last token --holdout-pairs keeps from training.
#pragma once

#include <cstdint>

#include "posenc/run_config.h"

namespace posenc {

// The share --holdout-pairs of the V^2 pairs, rounded to the nearest whole number: 0.29 of 100 is 29.
std::int64_t held_out_pairs(const RunConfig& config);

// Whether earlier releases, which cut the fraction off (28 there, since 0.29 is a little less as a double), held out
// another number of pairs.
bool held_out_otherwise(const RunConfig& config);

}  // namespace posenc
