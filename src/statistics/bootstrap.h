// Bootstrap intervals of any statistic of a sample, or of two.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "statistics/interval.h"

namespace posenc {

struct Resampling {
  std::int64_t resamples = 9999;  // >= 1
  std::uint64_t seed = 0;         // the same seed, the same interval, on every machine
};

using Statistic = std::function<double(std::span<const double>)>;
using TwoSampleStatistic = std::function<double(std::span<const double>, std::span<const double>)>;

// The statistic of the values with its BCa 95 % interval, bias-corrected and accelerated (Efron 1987, "Better bootstrap
// confidence intervals"; DiCiccio and Efron 1996, "Bootstrap confidence intervals", equations 6.4 to 6.6). Defined as
// scipy.stats.bootstrap(method='BCa') defines it: resamples equal to the estimate count half in the bias correction,
// and the ends are quantiles of type 7 of the resampled statistics.
//
// Values must be finite (else posenc::Error). No interval for n = 0, for n = 1, for values that are all equal, and
// (Why::undefined) where the statistic is nan for a resample, the bias correction or the acceleration is not finite, as
// the median's often is not where values repeat, or both ends are one number. A statistic may be infinite for some
// resamples. too_narrow is set below 10 values: docs/STATISTICS.md has the coverage measured.
Estimate bootstrap_interval(std::span<const double> values, const Statistic& statistic,
                            const Resampling& resampling = {});

// The same of the mean, from the same resamples but without copying them.
Estimate bootstrap_mean_interval(std::span<const double> values, const Resampling& resampling = {});

// The same of two independent samples, each resampled by itself. The acceleration is that of several samples, from
// leaving out each value of either (Efron and Tibshirani 1993, "An introduction to the bootstrap", equation 15.36).
// A sample of one value has no interval; too_narrow looks at the smaller sample.
Estimate bootstrap_interval(std::span<const double> first, std::span<const double> second,
                            const TwoSampleStatistic& statistic, const Resampling& resampling = {});

}  // namespace posenc
