#include "statistics/bimodal.h"

#include <algorithm>
#include <limits>

#include "statistics/values.h"

namespace posenc {
namespace {

// The number of values below the best split. About the mean of all, the squares within two groups are least where
// sum^2 / count of the one plus that of the other is greatest, and the two sums are each other's negatives.
std::size_t best_split(std::span<const double> ascending, std::size_t smallest) {
  const double centre = mean(ascending);
  const std::size_t n = ascending.size();
  double sum = 0, greatest = -1;
  std::size_t best = smallest;
  for (std::size_t below = 1; below + smallest <= n; ++below) {
    sum += ascending[below - 1] - centre;
    if (below < smallest) continue;
    const double between = sum * sum * (1 / static_cast<double>(below) + 1 / static_cast<double>(n - below));
    if (between > greatest) {
      greatest = between;
      best = below;
    }
  }
  return best;
}

Mode mode(std::span<const double> group) { return {static_cast<std::int64_t>(group.size()), mean(group)}; }

}  // namespace

Modes find_modes(std::span<const double> values, double step) {
  require_finite(values);
  const std::vector<double> ascending = sorted_values(values);
  const std::span<const double> all = ascending;
  if (all.size() < 4) return {false, mode(all), mode({})};

  const std::size_t below = best_split(all, std::max<std::size_t>(2, (all.size() + 9) / 10));
  const auto lower = all.first(below), upper = all.subspan(below);
  const double spread = std::max({standard_deviation(lower), standard_deviation(upper), step});
  const double times = std::max(5.0, 40 / static_cast<double>(all.size()));
  return {upper.front() - lower.back() > times * spread, mode(lower), mode(upper)};
}

}  // namespace posenc
