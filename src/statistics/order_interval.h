// An interval of the median from order statistics: no resampling, no assumption on the distribution.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/interval.h"

namespace posenc {

// How many values to pass over from either end of a sample of n, so that the next ones hold the median with at least
// 95 %: the greatest k with P(Binomial(n, 1/2) <= k) <= 0.025. None for n < 6.
std::optional<std::int64_t> order_interval_rank(std::int64_t n);

// The median with the interval from the value of rank k + 1 to that of rank n - k (David and Nagaraja 2003, "Order
// statistics", section 7.1). Values may be +infinity, and so may the ends. The coverage is at least 95 % for every
// distribution, also where values repeat; so an interval of no width is an honest one here: it needs at least 6 values,
// nearly all equal. Why::too_few for n < 6. A nan throws posenc::Error. About n log n operations, enough for the bands
// of curves.
Estimate median_order_interval(std::span<const double> values);

}  // namespace posenc
