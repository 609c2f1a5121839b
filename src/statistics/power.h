// How many seeds a comparison would have needed.
#pragma once

#include <cstdint>
#include <optional>

namespace posenc {

// The smallest number of pairs, or of runs in each of two groups, that shows a standardized effect of this size, of
// either sign, with 80 % power at a two-sided level a = 0.05 / `comparisons` (Holm's first step), by the normal
// approximation (Cohen 1988, "Statistical power analysis", chapter 2): (z(1-a/2) + z.80)^2 / d^2 pairs, twice that many
// runs a group; rounded up. Never fewer than the permutation test needs to reach p <= a at all, where one comparison
// takes 6 pairs, or 4 runs a group; also for an infinite effect. A t
// test needs about two pairs, or one run a group, more than the approximation says. Nothing for an effect of 0, for
// nan, and where the number is beyond 64 bits.
std::optional<std::int64_t> pairs_needed(double cohen_dz, std::int64_t comparisons = 1);
std::optional<std::int64_t> runs_a_group_needed(double hedges_g, std::int64_t comparisons = 1);

}  // namespace posenc
