// Samples as the statistics take them: any order, one number a run. A nan must be taken out first (finite_values);
// +infinity stands for "never" where a function says so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace posenc {

// The finite values of a sample in their order, and how many were not: runs that failed or diverged.
struct FiniteValues {
  std::vector<double> values;
  std::int64_t failed;
};
FiniteValues finite_values(std::span<const double> sample);

// first[i] - second[i]. Throws posenc::Error where the lengths differ.
std::vector<double> paired_differences(std::span<const double> first, std::span<const double> second);

// Ascending. Throws posenc::Error on a nan, which has no place in an order.
std::vector<double> sorted_values(std::span<const double> values);

// Throws posenc::Error unless every value is finite.
void require_finite(std::span<const double> values);

// Whether the values are the same but for rounding: they lie within 1e-12 of the greatest magnitude. Differences of
// accuracies are equal in this sense alone (0.9 - 0.8 is not 0.4 - 0.3). True of none and of one.
bool all_equal(std::span<const double> values);

// nan of no values.
double mean(std::span<const double> values);

// With n - 1 in the denominator; nan of fewer than two values; 0 where all_equal; nan where a value is infinite.
double standard_deviation(std::span<const double> values);

// Of ascending values, by linear interpolation between order statistics (Hyndman and Fan 1996, type 7; NumPy's and R's
// default). p in 0..1; nan of no values; +infinity where either neighbour with a weight is.
double quantile(std::span<const double> ascending, double p);

}  // namespace posenc
