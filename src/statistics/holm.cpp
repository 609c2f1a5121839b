#include "statistics/holm.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "posenc/error.h"

namespace posenc {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    if (std::isnan(p_values[i])) continue;
    if (p_values[i] < 0 || p_values[i] > 1)
      throw Error("not a p value (given " + std::to_string(p_values[i]) + ", allowed: 0 to 1)");
    order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });

  std::vector<double> adjusted(p_values.begin(), p_values.end());
  double least = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, std::min(1.0, p_values[order[rank]] * static_cast<double>(order.size() - rank)));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace posenc
