#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "posenc/error.h"
#include "statistics/permutation.h"
#include "statistics/random_draws.h"
#include "statistics/values.h"

namespace posenc {
namespace {

constexpr std::int64_t kExactSplits = 200'000;

// How many ways there are to choose `chosen` of n, or kExactSplits + 1 where there are more than that.
std::int64_t splits(std::int64_t n, std::int64_t chosen) {
  std::int64_t ways = 1;
  for (std::int64_t i = 1; i <= chosen; ++i) {
    ways = ways * (n - chosen + i) / i;  // whole, since it is a binomial coefficient itself
    if (ways > kExactSplits) return kExactSplits + 1;
  }
  return ways;
}

// How many ways to add `chosen` of the values to `sum` reach at least `least` in magnitude.
std::int64_t count_extreme(std::span<const double> values, std::size_t chosen, double sum, double least) {
  if (chosen == 0) return std::abs(sum) >= least;
  std::int64_t extreme = 0;
  for (std::size_t i = 0; i + chosen <= values.size(); ++i)
    extreme += count_extreme(values.subspan(i + 1), chosen - 1, sum + values[i], least);
  return extreme;
}

}  // namespace

PermutationTest two_group_test(std::span<const double> first, std::span<const double> second,
                               const Resampling& resampling) {
  if (first.size() > second.size()) std::swap(first, second);
  std::vector<double> pooled(first.begin(), first.end());
  pooled.insert(pooled.end(), second.begin(), second.end());
  require_finite(pooled);
  const std::int64_t all = splits(static_cast<std::int64_t>(pooled.size()), static_cast<std::int64_t>(first.size()));
  const bool exact = all <= kExactSplits, same = first.empty() || all_equal(pooled);
  if (exact && same) return {1, true, all};
  if (!exact && resampling.resamples < 1)
    throw Error("a permutation test needs resamples (given " + std::to_string(resampling.resamples) + ")");
  if (same) return {1, false, resampling.resamples};

  // About the mean of all, the sum of one group decides the difference of the means: the other group's is its negative.
  const double centre = mean(pooled);
  double magnitude = 0;
  for (double& value : pooled) magnitude += std::abs(value -= centre);
  const double observed = std::accumulate(pooled.begin(), pooled.begin() + first.size(), 0.0);
  const double least = std::abs(observed) - 1e-11 * magnitude;
  if (exact) {
    const std::int64_t extreme = count_extreme(pooled, first.size(), 0, least);
    return {static_cast<double>(extreme) / static_cast<double>(all), true, all};
  }

  RandomDraws draws(resampling.seed);
  std::int64_t extreme = 0;
  for (std::int64_t round = 0; round < resampling.resamples; ++round) {
    double sum = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {  // the first places of a Fisher-Yates shuffle
      std::swap(pooled[i], pooled[i + draws.index(pooled.size() - i)]);
      sum += pooled[i];
    }
    extreme += std::abs(sum) >= least;
  }
  return {static_cast<double>(1 + extreme) / static_cast<double>(1 + resampling.resamples), false,
          resampling.resamples};
}

}  // namespace posenc
