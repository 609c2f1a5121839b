// Permutation tests: how often relabelling the runs alone makes a difference as great as the one seen.
#pragma once

#include <cstdint>
#include <span>

#include "statistics/bootstrap.h"

namespace posenc {

struct PermutationTest {
  double
      p;  // two-sided: the share of arrangements whose |difference| is at least the observed one, which is among them
  bool exact;                 // over all arrangements
  std::int64_t arrangements;  // all of them where exact, else how many were drawn
};

inline constexpr Resampling kPermutations{.resamples = 99'999};

// Pairs, one a seed, by their differences: every sign of every difference is as likely as the other where the encoding
// makes none (Fisher 1935, "The design of experiments", section 21). Exact over all 2^n signs up to 20 pairs; beyond,
// (1 + b) / (1 + m) of m drawn (Phipson and Smyth 2010, "Permutation p-values should never be zero", equation 2). Sums
// that differ by rounding alone (1e-11 of the sum of magnitudes) are equal. p = 1 where all differences are 0 and for
// fewer than two pairs; below 6 pairs p cannot reach 0.05. Throws posenc::Error on a value that is not finite.
PermutationTest sign_flip_test(std::span<const double> differences, const Resampling& resampling = kPermutations);

// Two independent groups, by the absolute difference of their means: every split of all values into groups of these
// sizes is as likely as any other. Exact up to 200,000 splits, else drawn as above. p = 1 where all values are equal
// and where a group is empty. With groups of unlike size the distribution is skewed, and scipy.stats.permutation_test's
// 'two-sided', twice the smaller tail, is then another number. Throws as above.
PermutationTest two_group_test(std::span<const double> first, std::span<const double> second,
                               const Resampling& resampling = kPermutations);

}  // namespace posenc
