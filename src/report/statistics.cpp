#include "report/statistics.h"

#include <boost/math/distributions/binomial.hpp>

namespace posenc {

Interval guessing_band(std::int64_t count, double rate) {
  using namespace boost::math::policies;
  using Binomial = boost::math::binomial_distribution<double, policy<discrete_quantile<integer_round_outwards>>>;
  if (rate <= 0 || rate >= 1) return {rate, rate};  // no quantiles of a certainty
  const double n = static_cast<double>(count);
  const Binomial binomial(n, rate);
  return {quantile(binomial, 0.025) / n, quantile(binomial, 0.975) / n};
}

}  // namespace posenc
