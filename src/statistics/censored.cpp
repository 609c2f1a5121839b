#include "statistics/censored.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "statistics/order_interval.h"

namespace posenc {

CensoredMedian censored_median(std::span<const std::optional<double>> epochs) {
  std::vector<double> values;
  values.reserve(epochs.size());
  for (const auto& reached : epochs) values.push_back(reached.value_or(std::numeric_limits<double>::infinity()));
  return {.n = static_cast<std::int64_t>(epochs.size()),
          .never = std::count(epochs.begin(), epochs.end(), std::nullopt),
          .median = median_order_interval(values)};
}

}  // namespace posenc
