// The standard normal distribution.
#pragma once

#include <boost/math/distributions/normal.hpp>
#include <limits>

namespace posenc {

inline constexpr double kNormal975 = 1.959963984540054;  // its 97.5 % quantile

inline double normal_cdf(double z) { return boost::math::cdf(boost::math::normal(), z); }

// p in 0..1; infinite at the ends.
inline double normal_quantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::normal(), p);
}

}  // namespace posenc
