// The arithmetic of the BCa interval, apart from who resamples what (bootstrap.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "statistics/interval.h"

namespace posenc {

// The 95 % interval of an estimate from its resampled values, in any order, and from the jackknife: a vector a sample,
// of the statistic without each of that sample's values. Nothing where a needed number is not finite or both ends are
// the same. Resampled values within rounding (1e-13 of the greatest magnitude) of the estimate are equal to it.
std::optional<Interval> bca_interval(double estimate, std::vector<double> resampled,
                                     std::span<const std::vector<double>> jackknife);

}  // namespace posenc
