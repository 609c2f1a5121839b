#include "report/statistics/power.h"

#include <algorithm>
#include <cmath>

#include "report/statistics/normal.h"

namespace posenc {
namespace {

constexpr double kNormal80 = 0.8416212335729143;  // its 80 % quantile

std::optional<std::int64_t> at_least(double least, double count) {
  if (!(count < 0x1p63)) return std::nullopt;  // nan too
  return static_cast<std::int64_t>(std::max(least, std::ceil(count)));
}

double pairs(double effect) { return std::pow((kNormal975 + kNormal80) / effect, 2); }

}  // namespace

std::optional<std::int64_t> pairs_needed(double cohen_dz) { return at_least(6, pairs(cohen_dz)); }

std::optional<std::int64_t> runs_a_group_needed(double hedges_g) { return at_least(4, 2 * pairs(hedges_g)); }

}  // namespace posenc
