#include "statistics/bca.h"

#include <algorithm>
#include <cmath>

#include "statistics/normal.h"
#include "statistics/values.h"

namespace posenc {
namespace {

// z0: the normal quantile of the share of resamples below the estimate, those equal to it counting half.
double bias_correction(double estimate, std::span<const double> resampled) {
  double greatest = std::abs(estimate);
  for (const double value : resampled)
    if (std::isfinite(value)) greatest = std::max(greatest, std::abs(value));
  const double rounding = 1e-13 * greatest;
  double below = 0;
  for (const double value : resampled)
    below += value < estimate - rounding ? 1 : value <= estimate + rounding ? 0.5 : 0;
  return normal_quantile(below / static_cast<double>(resampled.size()));
}

// a, by Efron and Tibshirani 1993, equation 15.36; for one sample it is their 14.15.
double acceleration(std::span<const std::vector<double>> jackknife) {
  double cubes = 0, squares = 0;
  for (const std::vector<double>& left_out : jackknife) {
    const double n = static_cast<double>(left_out.size()), centre = mean(left_out);
    for (const double value : left_out) {
      const double influence = (n - 1) * (centre - value) / n;
      squares += influence * influence;
      cubes += influence * influence * influence;
    }
  }
  return cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

std::optional<Interval> bca_interval(double estimate, std::vector<double> resampled,
                                     std::span<const std::vector<double>> jackknife) {
  if (!std::isfinite(estimate)) return std::nullopt;
  if (std::any_of(resampled.begin(), resampled.end(), [](double value) { return std::isnan(value); }))
    return std::nullopt;
  // Left-out statistics that differ by rounding alone would make an acceleration of noise.
  if (std::all_of(jackknife.begin(), jackknife.end(), [](const auto& left_out) { return all_equal(left_out); }))
    return std::nullopt;
  const double z0 = bias_correction(estimate, resampled), a = acceleration(jackknife);
  if (!std::isfinite(z0) || !std::isfinite(a)) return std::nullopt;

  std::sort(resampled.begin(), resampled.end());
  const auto end = [&](double z) {
    const double shifted = z0 + z, stretch = 1 - a * shifted;
    // A stretch of 0 or less is beyond what the expansion behind the method can say.
    return stretch > 0 ? quantile(resampled, normal_cdf(z0 + shifted / stretch))
                       : std::numeric_limits<double>::quiet_NaN();
  };
  const Interval interval{end(-kNormal975), end(kNormal975)};
  if (!std::isfinite(interval.lower) || !std::isfinite(interval.upper) || interval.lower == interval.upper)
    return std::nullopt;
  return interval;
}

}  // namespace posenc
