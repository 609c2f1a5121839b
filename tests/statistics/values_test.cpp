#include "statistics/values.h"

#include <limits>

#include "posenc/error.h"
#include "statistics/golden.h"

using namespace posenc;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
}

TEST_CASE("failed runs are counted and the others keep their order", "[statistics]") {
  const FiniteValues split = finite_values(std::vector<double>{0.5, kNan, 0.25, kInfinity, 1, -kInfinity});
  CHECK(split.values == std::vector<double>{0.5, 0.25, 1});
  CHECK(split.failed == 3);
  CHECK(finite_values({}).failed == 0);
}

TEST_CASE("values are all equal where rounding alone parts them", "[statistics]") {
  CHECK(0.9 - 0.8 != 0.4 - 0.3);
  CHECK(all_equal(std::vector<double>{0.9 - 0.8, 0.4 - 0.3}));
  CHECK(all_equal(std::vector<double>{kInfinity, kInfinity}));
  CHECK(all_equal(std::vector<double>{0, 0, 0}));
  CHECK_FALSE(all_equal(std::vector<double>{1, kInfinity}));
  CHECK_FALSE(all_equal(std::vector<double>{1, 1 + 1e-9}));
  CHECK_FALSE(all_equal(std::vector<double>{-1e-300, 1e-300}));
}

TEST_CASE("a sample with nan has no order, and one with infinity is not finite", "[statistics]") {
  CHECK_THROWS_AS(sorted_values(std::vector<double>{1, kNan}), Error);
  CHECK(sorted_values(std::vector<double>{kInfinity, 1}) == std::vector<double>{1, kInfinity});
  CHECK_THROWS_AS(require_finite(std::vector<double>{1, kInfinity}), Error);
}

TEST_CASE("pairs are subtracted in their order and must be pairs", "[statistics]") {
  CHECK(paired_differences(std::vector<double>{3, 1}, std::vector<double>{1, 4}) == std::vector<double>{2, -3});
  CHECK_THROWS_AS(paired_differences(std::vector<double>{3, 1}, std::vector<double>{1}), Error);
}

TEST_CASE("quantiles beside infinity are never nan", "[statistics]") {
  const std::vector<double> values = {1, 2, kInfinity, kInfinity};
  CHECK(quantile(values, 0) == 1);
  CHECK(quantile(values, 0.25) == Approx(1.75));
  CHECK(quantile(values, 0.5) == kInfinity);
  CHECK(quantile(values, 0.9) == kInfinity);
  CHECK(std::isnan(quantile({}, 0.5)));
}
