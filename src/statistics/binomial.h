// The binomial distribution, with quantiles that keep at least the mass asked for.
#pragma once

#include <boost/math/distributions/binomial.hpp>

namespace posenc {

// A quantile below 1/2 is rounded down and one above it up: quantile(0.025) is the greatest k with P(X <= k) <= 0.025,
// and 0 where there is none.
using Binomial =
    boost::math::binomial_distribution<double, boost::math::policies::policy<boost::math::policies::discrete_quantile<
                                                   boost::math::policies::integer_round_outwards>>>;

}  // namespace posenc
