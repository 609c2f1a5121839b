#include "statistics/summary.h"

#include <algorithm>
#include <limits>

#include "statistics/values.h"

namespace posenc {
namespace {

// In quarters of a value, so that the weights are exact: value i spans 4i..4i+4 of 0..4n, of which n..3n is kept.
double middle_half_mean(std::span<const double> ascending) {
  const auto n = static_cast<std::int64_t>(ascending.size());
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t kept = std::min(4 * i + 4, 3 * n) - std::max(4 * i, n);
    if (kept > 0) sum += static_cast<double>(kept) * ascending[i];  // 0 x infinity would be nan
  }
  return sum / static_cast<double>(2 * n);
}

}  // namespace

Summary summarize(std::span<const double> values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (values.empty()) return {0, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  const std::vector<double> ascending = sorted_values(values);
  return {.n = static_cast<std::int64_t>(ascending.size()),
          .mean = mean(ascending),
          .sd = standard_deviation(ascending),
          .median = quantile(ascending, 0.5),
          .interquartile_mean = middle_half_mean(ascending),
          .min = ascending.front(),
          .max = ascending.back(),
          .lower_quartile = quantile(ascending, 0.25),
          .upper_quartile = quantile(ascending, 0.75)};
}

}  // namespace posenc
