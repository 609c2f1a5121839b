#include "report/statistics.h"

#include <cmath>

#include "support/catch.h"

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

TEST_CASE("the guessing band holds 95 % of guesses and not an inch more", "[report]") {
  for (const std::int64_t n : {20, 400, 401, 2000}) {
    for (const double p : {0.5, 1.0 / 3, 0.9}) {
      const Interval band = guessing_band(n, p);
      const auto lower = std::llround(band.lower * n), upper = std::llround(band.upper * n);
      CHECK(binomial_cdf(n, p, upper) >= 0.975);
      CHECK(binomial_cdf(n, p, upper - 1) < 0.975);
      CHECK(binomial_cdf(n, p, lower) <= 0.025 + 1e-12);
      CHECK(binomial_cdf(n, p, lower + 1) > 0.025);
    }
  }
}

TEST_CASE("certain guesses have a band of one point", "[report]") {
  CHECK(guessing_band(10, 1.0).lower == Approx(1.0));
  CHECK(guessing_band(1, 0.5).lower == Approx(0.0));
  CHECK(guessing_band(1, 0.5).upper == Approx(1.0));
}
