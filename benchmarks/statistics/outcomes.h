// Outcomes of runs with known means, medians and modes, drawn by their inverse distribution functions, so that a seed
// gives the same numbers everywhere.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "statistics/normal.h"
#include "statistics/random_draws.h"

namespace posenc {

// Strictly between 0 and 1.
inline double uniform(RandomDraws& draws) { return (static_cast<double>(draws.bits() >> 11) + 0.5) * 0x1p-53; }

inline double normal(RandomDraws& draws) { return normal_quantile(uniform(draws)); }

// An accuracy of 0.5 with probability `low`, else of 1, both with noise.
inline double solved_or_not(RandomDraws& draws, double low) {
  return (uniform(draws) < low ? 0.5 : 1) + 0.02 * normal(draws);
}

// Beta(a, 1): accuracies that pile up below 1.
inline double ceiling(RandomDraws& draws, double a) { return std::pow(uniform(draws), 1 / a); }

inline double in_steps(double accuracy, double step) { return std::round(accuracy / step) * step; }

using Outcome = std::function<double(RandomDraws&)>;

inline std::vector<double> sample(const Outcome& outcome, std::size_t n, RandomDraws& draws) {
  std::vector<double> values(n);
  for (double& value : values) value = outcome(draws);
  return values;
}

}  // namespace posenc
