// What every estimate of posenc comes with: a 95 % interval, or the reason why it has none.
#pragma once

#include <optional>

namespace posenc {

// Both ends belong to it; lower <= upper.
struct Interval {
  double lower, upper;
};

// Why an estimate has no interval.
enum class Why {
  ok,         // it has one
  no_values,  // n = 0
  one_value,  // n = 1, or a group of one: nothing says how far another run would be
  all_equal,  // all values are the same: an interval would have no width, which is not what is known
  too_few,    // no pair of order statistics holds the median 95 times in 100 (n < 6)
  undefined,  // the estimate, the bias correction or the acceleration is not a finite number
};

struct Estimate {
  double value;  // nan where there is none
  std::optional<Interval> interval;
  Why why;                  // Why::ok if and only if there is an interval
  bool too_narrow = false;  // a bootstrap interval of fewer than 10 values: it holds the truth less often than 95 %
};

}  // namespace posenc
