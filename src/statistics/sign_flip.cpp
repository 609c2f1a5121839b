#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "posenc/error.h"
#include "statistics/permutation.h"
#include "statistics/random_draws.h"
#include "statistics/values.h"

namespace posenc {
namespace {

constexpr std::size_t kExactPairs = 20;

// The sums of the values under every choice of signs: 2^n of them.
std::vector<double> signed_sums(std::span<const double> values) {
  std::vector<double> sums = {0};
  for (const double value : values) {
    const std::size_t count = sums.size();
    for (std::size_t i = 0; i < count; ++i) {
      sums.push_back(sums[i] - value);
      sums[i] += value;
    }
  }
  return sums;
}

// Sums under drawn signs, by tables of the sums of every eight values under every choice of their signs.
class DrawnSums {
 public:
  explicit DrawnSums(std::span<const double> values) {
    for (std::size_t begin = 0; begin < values.size(); begin += kTogether) {
      const auto some = values.subspan(begin, std::min(kTogether, values.size() - begin));
      for (std::size_t signs = 0; signs < kChoices; ++signs) {
        double sum = 0;
        for (std::size_t i = 0; i < some.size(); ++i) sum += signs >> i & 1 ? some[i] : -some[i];
        tables_.push_back(sum);
      }
    }
  }

  double draw(RandomDraws& draws) const {
    double sum = 0;
    std::uint64_t signs = 0;
    for (std::size_t i = 0; i * kChoices < tables_.size(); ++i, signs >>= kTogether) {
      if (i % kTogether == 0) signs = draws.bits();
      sum += tables_[i * kChoices + signs % kChoices];
    }
    return sum;
  }

 private:
  static constexpr std::size_t kTogether = 8, kChoices = 256;
  std::vector<double> tables_;
};

}  // namespace

PermutationTest sign_flip_test(std::span<const double> differences, const Resampling& resampling) {
  require_finite(differences);
  double observed = 0, magnitude = 0;
  for (const double difference : differences) {
    observed += difference;
    magnitude += std::abs(difference);
  }
  const double least = std::abs(observed) - 1e-11 * magnitude;

  if (differences.size() <= kExactPairs) {
    // Each half's sums by themselves: 2 * 2^(n/2) of them, and no error that grows with 2^n.
    const std::size_t half = differences.size() / 2;
    const std::vector<double> left = signed_sums(differences.first(half)),
                              right = signed_sums(differences.subspan(half));
    std::int64_t extreme = 0;
    for (const double a : left)
      for (const double b : right) extreme += std::abs(a + b) >= least;
    const auto all = static_cast<std::int64_t>(left.size() * right.size());
    return {static_cast<double>(extreme) / static_cast<double>(all), true, all};
  }

  if (resampling.resamples < 1)
    throw Error("a permutation test needs resamples (given " + std::to_string(resampling.resamples) + ")");
  RandomDraws draws(resampling.seed);
  const DrawnSums sums(differences);
  std::int64_t extreme = 0;
  for (std::int64_t i = 0; i < resampling.resamples; ++i) extreme += std::abs(sums.draw(draws)) >= least;
  return {static_cast<double>(1 + extreme) / static_cast<double>(1 + resampling.resamples), false,
          resampling.resamples};
}

}  // namespace posenc
