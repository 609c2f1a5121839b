#include "posenc/task.h"

#include <algorithm>

namespace posenc {

void Task::draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const {
  for (std::int64_t& token : tokens) token = sampler.below(vocab);
}

std::optional<double> Task::ceiling(View view, std::int64_t length, std::int64_t vocab) const {
  if (view == View::nothing) return majority_rate(length, vocab);
  return view == View::everything ? std::optional(1.0) : std::nullopt;
}

double Task::majority_rate(std::int64_t length, std::int64_t vocab) const {
  const std::vector<double> rates = class_rates(length, vocab);
  return *std::max_element(rates.begin(), rates.end());
}

}  // namespace posenc
