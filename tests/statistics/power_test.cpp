#include "statistics/power.h"

#include "statistics/golden.h"
#include "statistics/permutation.h"

using namespace posenc;

TEST_CASE("seeds needed are those of statsmodels", "[statistics]") {
  REQUIRE(golden()["needed"].size() >= 10);
  for (const auto& known : golden()["needed"]) {
    INFO(known);
    CHECK(pairs_needed(known[0]) == known[1].get<std::int64_t>());
    CHECK(runs_a_group_needed(known[0]) == known[2].get<std::int64_t>());
  }
}

TEST_CASE("never fewer seeds than the permutation test can use", "[statistics]") {
  CHECK(pairs_needed(INFINITY) == 6);
  CHECK(runs_a_group_needed(-INFINITY) == 4);
  CHECK(sign_flip_test(std::vector<double>(6, 1.0)).p <= 0.05);
  CHECK(sign_flip_test(std::vector<double>(5, 1.0)).p > 0.05);
  const std::vector<double> low(4, 0.0), high(4, 1.0);
  CHECK(two_group_test(low, high).p <= 0.05);
  CHECK(two_group_test(std::span(low).first(3), std::span(high).first(3)).p > 0.05);
}

TEST_CASE("many comparisons need more seeds, as Holm's first step does", "[statistics]") {
  // 15 pairs of encodings: 2/2^n is within 0.05/15 from n = 10 on, 2/(2n choose n) from n = 6 (924).
  CHECK(pairs_needed(INFINITY, 15) == 10);
  CHECK(runs_a_group_needed(INFINITY, 15) == 6);
  CHECK(2 / std::pow(2, 9) > 0.05 / 15);
  // z(1 - 0.05/30) = 2.935199 (scipy.stats.norm.ppf), so (2.935199 + 0.841621)^2 / 0.25.
  CHECK(pairs_needed(0.5, 15) == 58);
  CHECK(pairs_needed(0.5) == 32);
}

TEST_CASE("no number of seeds shows no effect", "[statistics]") {
  for (const double effect : {0.0, -0.0, std::nan(""), 1e-12}) {
    CHECK_FALSE(pairs_needed(effect));
    CHECK_FALSE(runs_a_group_needed(effect));
  }
  CHECK(pairs_needed(1e-6) == 7848879734350);
}
