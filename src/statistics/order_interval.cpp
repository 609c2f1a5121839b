#include "statistics/order_interval.h"

#include "statistics/binomial.h"
#include "statistics/values.h"

namespace posenc {

std::optional<std::int64_t> order_interval_rank(std::int64_t n) {
  if (n < 6) return std::nullopt;  // 2 / 2^5 is more than 0.05
  return static_cast<std::int64_t>(quantile(Binomial(static_cast<double>(n), 0.5), 0.025));
}

Estimate median_order_interval(std::span<const double> values) {
  const std::vector<double> ascending = sorted_values(values);
  const double median = quantile(ascending, 0.5);
  if (values.empty()) return {median, std::nullopt, Why::no_values};
  const auto rank = order_interval_rank(static_cast<std::int64_t>(ascending.size()));
  if (!rank) return {median, std::nullopt, ascending.size() == 1 ? Why::one_value : Why::too_few};
  return {median, Interval{ascending[*rank], ascending[ascending.size() - 1 - *rank]}, Why::ok};
}

}  // namespace posenc
