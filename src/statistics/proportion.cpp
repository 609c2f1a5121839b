#include "statistics/proportion.h"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "posenc/error.h"
#include "statistics/normal.h"

namespace posenc {
namespace {

// quantile(q) is the least k with P(X <= k) >= q, as scipy.stats.binom.ppf has it.
using GuessedRight = boost::math::binomial_distribution<
    double,
    boost::math::policies::policy<boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>>;

}  // namespace

Interval guessing_band(std::int64_t count, double rate) {
  if (rate <= 0 || rate >= 1) return {rate, rate};  // no quantiles of a certainty
  const double n = static_cast<double>(count);
  const GuessedRight right(n, rate);
  return {quantile(right, 0.025) / n, quantile(right, 0.975) / n};
}

Estimate wilson_interval(std::int64_t successes, std::int64_t n) {
  if (successes < 0 || successes > n)
    throw Error("successes must be among the runs (given " + std::to_string(successes) + " of " + std::to_string(n) +
                ")");
  if (n == 0) return {std::numeric_limits<double>::quiet_NaN(), std::nullopt, Why::no_values};
  const double count = static_cast<double>(n), share = static_cast<double>(successes) / count;
  const double z2 = kNormal975 * kNormal975, weight = 1 + z2 / count;
  const double centre = (share + z2 / (2 * count)) / weight;
  const double half = kNormal975 * std::sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / weight;
  // Exactly 0 and 1 at the ends, which rounding would miss.
  const Interval interval{successes == 0 ? 0 : centre - half, successes == n ? 1 : centre + half};
  return {share, interval, Why::ok};
}

}  // namespace posenc
