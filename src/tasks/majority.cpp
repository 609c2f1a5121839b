// Are more tokens odd than even? A tie is no. Example, vocabulary 10: 3 7 1 4 -> 1.
#include <algorithm>

#include "posenc/catalog.h"
#include "tasks/machine.h"
#include "tasks/token_parity.h"

namespace posenc {
namespace {

class Majority : public MachineTask {
 public:
  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    std::size_t odd = 0;
    for (const std::int64_t token : tokens) odd += token % 2 == 1;
    return 2 * odd > tokens.size() ? 1 : 0;
  }

 private:
  bool order_free() const override { return true; }

  // Counts the odd tokens.
  Machine machine(std::int64_t length, std::int64_t vocab) const override {
    const auto all = static_cast<std::size_t>(length);
    return {.kinds = 2,
            .states = all + 1,
            .rate = uniform_rates(even_and_odd(vocab)),
            .next = [](std::size_t state, std::size_t kind, std::int64_t) { return state + kind; },
            .label = [all](std::size_t state) -> std::int64_t { return 2 * state > all ? 1 : 0; }};
  }

  Machine mirrored(std::int64_t length, std::int64_t vocab) const override { return machine(length, vocab); }
};

}  // namespace

namespace tasks {

TaskEntry majority() {
  TaskEntry entry;
  entry.name = "majority";
  entry.formula = "more odd than even tokens";
  entry.source = "Merrill et al. 2022, arXiv 2106.16213 (MAJORITY)";
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<Majority>(); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    // Sorted by parity, odd ones lead: the middle one, of an even number the later of the two, decides.
    std::vector<std::int64_t> bits;
    for (const std::int64_t token : tokens) bits.push_back(token & 1);
    std::sort(bits.rbegin(), bits.rend());
    return bits.at(bits.size() / 2);
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
