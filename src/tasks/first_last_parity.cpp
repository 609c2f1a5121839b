// Is first + last odd? The published task. Example, vocabulary 10: 3 7 1 4 -> 1, since 3 + 4 = 7.
// With vocabulary 2 it is DeepMind's `even_pairs` (arXiv 2207.02098).
#include <algorithm>

#include "posenc/task.h"
#include "tasks/registry.h"

namespace posenc {
namespace {

class FirstLastParity : public Task {
 public:
  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    return (tokens.front() + tokens.back()) % 2;
  }

  double majority_rate(std::int64_t, std::int64_t vocab) const override {
    const double odd = static_cast<double>(vocab / 2) / static_cast<double>(vocab);
    const double differ = 2 * odd * (1 - odd);
    return std::max(differ, 1 - differ);
  }
};

}  // namespace

TaskEntry tasks::first_last_parity() {
  TaskEntry entry;
  entry.name = "first-last-parity";
  entry.formula = "(first + last) mod 2";
  entry.source = "the published protocol";
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<FirstLastParity>(); };
  return entry;
}

}  // namespace posenc
