// Epochs to a threshold, which some runs never reach.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "statistics/interval.h"

namespace posenc {

struct CensoredMedian {
  std::int64_t n;      // all runs
  std::int64_t never;  // how many of them never got there
  Estimate median;     // in epochs, over all n; +infinity where half or more never got there
};

// The median over all runs with "never" (nothing) as +infinity, so that no mean over survivors flatters an encoding,
// and its order-statistic interval, whose ends may be infinite too (order_interval.h). Where n is even and just half of
// the runs got there, the median is infinite. A nan throws posenc::Error.
CensoredMedian censored_median(std::span<const std::optional<double>> epochs);

}  // namespace posenc
