#include "statistics/proportion.h"

#include <cmath>

#include "posenc/error.h"
#include "statistics/golden.h"

using namespace posenc;

namespace {

// P(X <= k) by summing the mass function in logarithms.
double binomial_cdf(std::int64_t n, double p, std::int64_t k) {
  double sum = 0;
  for (std::int64_t i = 0; i <= k; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return sum;
}

}  // namespace

TEST_CASE("the guessing band holds 95 % of guesses and not an inch more", "[statistics]") {
  for (const std::int64_t n : {20, 400, 401, 2000}) {
    for (const double p : {0.5, 1.0 / 3, 0.9}) {
      const Interval band = guessing_band(n, p);
      const auto lower = std::llround(band.lower * n), upper = std::llround(band.upper * n);
      CHECK(binomial_cdf(n, p, upper) >= 0.975);
      CHECK(binomial_cdf(n, p, upper - 1) < 0.975);
      CHECK(binomial_cdf(n, p, lower) >= 0.025);
      CHECK(binomial_cdf(n, p, lower - 1) < 0.025);
    }
  }
}

TEST_CASE("certain guesses have a band of one point", "[statistics]") {
  CHECK(guessing_band(10, 1.0).lower == Approx(1.0));
  CHECK(guessing_band(1, 0.5).lower == Approx(0.0));
  CHECK(guessing_band(1, 0.5).upper == Approx(1.0));
}

TEST_CASE("the guessing band is that of scipy's binomial quantiles", "[statistics]") {
  for (const auto& known : golden()["guessing"]) {
    INFO(known);
    const Interval band = guessing_band(known[0], known[1]);
    CHECK(close(band.lower, known[2]));
    CHECK(close(band.upper, known[3]));
  }
}

TEST_CASE("Wilson's interval is that of statsmodels", "[statistics]") {
  REQUIRE(golden()["wilson"].size() >= 30);
  for (const auto& known : golden()["wilson"]) {
    INFO(known);
    const Estimate share = wilson_interval(known[0], known[1]);
    CHECK(share.why == Why::ok);
    CHECK(close(share.interval->lower, known[2]));
    CHECK(close(share.interval->upper, known[3]));
  }
}

TEST_CASE("Wilson's interval keeps a width where all runs succeed, and ends at 1 exactly", "[statistics]") {
  for (const std::int64_t n : {1, 3, 7, 8, 31, 1000}) {
    const Estimate all = wilson_interval(n, n), none = wilson_interval(0, n);
    CHECK(all.interval->upper == 1);
    CHECK(all.interval->lower < 1);
    CHECK(none.interval->lower == 0);
    CHECK(none.interval->upper > 0);
  }
}

TEST_CASE("a share of no runs has no interval, and one of more than all is refused", "[statistics]") {
  CHECK(std::isnan(wilson_interval(0, 0).value));
  CHECK(wilson_interval(0, 0).why == Why::no_values);
  CHECK_FALSE(wilson_interval(0, 0).interval);
  CHECK_THROWS_AS(wilson_interval(3, 2), Error);
  CHECK_THROWS_AS(wilson_interval(-1, 2), Error);
}
