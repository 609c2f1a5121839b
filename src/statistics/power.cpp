#include "statistics/power.h"

#include <algorithm>
#include <cmath>

#include "statistics/normal.h"

namespace posenc {
namespace {

constexpr double kNormal80 = 0.8416212335729143;  // its 80 % quantile

std::optional<std::int64_t> at_least(std::int64_t least, double count) {
  if (!(count < 0x1p63)) return std::nullopt;  // nan too
  return std::max(least, static_cast<std::int64_t>(std::ceil(count)));
}

double level(std::int64_t comparisons) { return 0.05 / static_cast<double>(comparisons); }

double pairs(double effect, std::int64_t comparisons) {
  const double quantile = comparisons == 1 ? kNormal975 : normal_quantile(1 - level(comparisons) / 2);
  return std::pow((quantile + kNormal80) / effect, 2);
}

// The smallest n for which 2 / arrangements(n), the least p of a permutation test, is within `level`. `growth(n)` is
// the factor from n - 1 to n.
template <typename Growth>
std::int64_t least_for(double level, Growth growth) {
  double arrangements = 1;
  std::int64_t n = 0;
  while (2 / arrangements > level) arrangements *= growth(static_cast<double>(++n));
  return n;
}

}  // namespace

std::optional<std::int64_t> pairs_needed(double cohen_dz, std::int64_t comparisons) {
  const auto signs = [](double) { return 2.0; };  // 2^n
  return at_least(least_for(level(comparisons), signs), pairs(cohen_dz, comparisons));
}

std::optional<std::int64_t> runs_a_group_needed(double hedges_g, std::int64_t comparisons) {
  const auto halves = [](double n) { return 2 * (2 * n - 1) / n; };  // (2n choose n)
  return at_least(least_for(level(comparisons), halves), 2 * pairs(hedges_g, comparisons));
}

}  // namespace posenc
