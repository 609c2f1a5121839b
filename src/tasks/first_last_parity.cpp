// Is first + last odd? The published task. Example, vocabulary 10: 3 7 1 4 -> 1, since 3 + 4 = 7.
// With vocabulary 2 it is DeepMind's `even_pairs` (arXiv 2207.02098).
#include "posenc/catalog.h"
#include "tasks/machine.h"
#include "tasks/token_parity.h"

namespace posenc {
namespace {

class FirstLastParity : public MachineTask {
 public:
  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    return (tokens.front() + tokens.back()) % 2;
  }

 private:
  // Keeps the parity of the first token and of the last one read.
  Machine machine(std::int64_t, std::int64_t vocab) const override {
    return {.kinds = 2,
            .states = 4,
            .rate = uniform_rates(even_and_odd(vocab)),
            .next = [](std::size_t state, std::size_t kind,
                       std::int64_t place) { return place == 0 ? 3 * kind : state / 2 * 2 + kind; },
            .label = [](std::size_t state) { return static_cast<std::int64_t>((state / 2 + state) % 2); }};
  }

  Machine mirrored(std::int64_t length, std::int64_t vocab) const override { return machine(length, vocab); }
};

}  // namespace

namespace tasks {

TaskEntry first_last_parity() {
  TaskEntry entry;
  entry.name = "first-last-parity";
  entry.formula = "(first + last) mod 2";
  entry.source = "the published protocol";
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<FirstLastParity>(); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    return (tokens.at(0) & 1) == (tokens.at(tokens.size() - 1) & 1) ? 0 : 1;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
