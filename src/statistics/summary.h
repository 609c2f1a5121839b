// The usual numbers about a sample.
#pragma once

#include <cstdint>
#include <span>

namespace posenc {

// In the units of the values. All are nan for n = 0; sd is nan for n = 1.
struct Summary {
  std::int64_t n;
  double mean;
  double sd;                  // n - 1 in the denominator
  double median;              // the mean of the two middle values for even n
  double interquartile_mean;  // see below
  double min, max;
  double lower_quartile, upper_quartile;  // type 7, as NumPy's and R's default
};

// Values may be +infinity ("never"): the mean is then infinite, sd nan, the others what the order of the values says.
// A nan throws posenc::Error: take it out with finite_values.
//
// The interquartile mean (Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical precipice")
// is that of the middle half, exactly: n/4 values are cut from either end, a fraction of a value where n/4 is not
// whole. scipy.stats.trim_mean cuts floor(n/4) whole values, so that it keeps more than half unless 4 divides n.
Summary summarize(std::span<const double> values);

}  // namespace posenc
