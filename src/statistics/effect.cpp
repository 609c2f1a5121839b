#include "statistics/effect.h"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "statistics/values.h"

namespace posenc {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// A resample of no spread and no difference shows no effect; one of no spread and some difference a boundless one.
double ratio(double difference, double deviation) {
  if (deviation > 0) return difference / deviation;
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

double squares_about_mean(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double sd = standard_deviation(values);
  return sd * sd * static_cast<double>(values.size() - 1);
}

Estimate defined(Estimate standardized) {
  if (!std::isfinite(standardized.value)) standardized.value = kUndefined;
  return standardized;
}

}  // namespace

double cohen_dz(std::span<const double> differences) {
  if (differences.size() < 2) return kUndefined;
  return ratio(mean(differences), standard_deviation(differences));
}

double hedges_g(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty() || first.size() + second.size() < 4) return kUndefined;
  const double freedom = static_cast<double>(first.size() + second.size() - 2);
  const double deviation = std::sqrt((squares_about_mean(first) + squares_about_mean(second)) / freedom);
  const double correction = boost::math::tgamma_ratio(freedom / 2, (freedom - 1) / 2) / std::sqrt(freedom / 2);
  return correction * ratio(mean(first) - mean(second), deviation);
}

Effect paired_effect(std::span<const double> differences, const Resampling& resampling) {
  Effect effect{bootstrap_mean_interval(differences, resampling),
                bootstrap_interval(differences, cohen_dz, resampling)};
  effect.standardized = defined(effect.standardized);
  if (effect.standardized.why == Why::all_equal) effect.standardized.value = kUndefined;
  return effect;
}

Effect unpaired_effect(std::span<const double> first, std::span<const double> second, const Resampling& resampling) {
  const auto difference = [](std::span<const double> a, std::span<const double> b) { return mean(a) - mean(b); };
  Effect effect{bootstrap_interval(first, second, difference, resampling),
                bootstrap_interval(first, second, hedges_g, resampling)};
  effect.standardized = defined(effect.standardized);
  if (effect.standardized.why == Why::all_equal) effect.standardized.value = kUndefined;
  return effect;
}

}  // namespace posenc
