#include "statistics/values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "posenc/error.h"

namespace posenc {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 1e-12;

}  // namespace

FiniteValues finite_values(std::span<const double> sample) {
  FiniteValues split{{}, 0};
  for (const double value : sample)
    if (std::isfinite(value))
      split.values.push_back(value);
    else
      ++split.failed;
  return split;
}

std::vector<double> paired_differences(std::span<const double> first, std::span<const double> second) {
  if (first.size() != second.size())
    throw Error("pairs need as many values on each side (given " + std::to_string(first.size()) + " and " +
                std::to_string(second.size()) + ")");
  std::vector<double> differences(first.size());
  std::transform(first.begin(), first.end(), second.begin(), differences.begin(), std::minus());
  return differences;
}

std::vector<double> sorted_values(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) throw Error("a sample cannot hold nan (allowed: numbers; finite_values counts the failed)");
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

void require_finite(std::span<const double> values) {
  for (const double value : values)
    if (!std::isfinite(value)) throw Error("a sample needs finite values here (given " + std::to_string(value) + ")");
}

bool all_equal(std::span<const double> values) {
  if (values.empty()) return true;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return true;
  return std::isfinite(*most - *least) && *most - *least <= kRounding * std::max(std::abs(*least), std::abs(*most));
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return kNan;
  const double centre = mean(values);
  if (!std::isfinite(centre)) return kNan;
  if (all_equal(values)) return 0;
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> ascending, double p) {
  if (ascending.empty()) return kNan;
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double weight = place - static_cast<double>(below), lower = ascending[below];
  if (weight == 0 || below + 1 == ascending.size()) return lower;
  const double upper = ascending[below + 1];
  return lower == upper ? lower : lower + weight * (upper - lower);  // never infinity - infinity
}

}  // namespace posenc
