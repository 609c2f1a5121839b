// A task that is told from left to right in a few states, and what exact counting makes of it: class rates and ceilings
// (docs/CEILINGS.md, "Counting").
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "posenc/task.h"

namespace posenc {

// Reads the kinds of a sequence's tokens. A kind is a set of tokens that the task does not tell apart, as the odd ones;
// tokens are drawn independently, at a rate for each kind that may depend on the place.
struct Machine {
  std::size_t kinds = 2;
  std::size_t states = 1;
  std::size_t start = 0;
  std::function<double(std::int64_t place, std::size_t kind)> rate;  // over the kinds of a place they sum to 1
  std::function<std::size_t(std::size_t state, std::size_t kind, std::int64_t place)> next;
  std::function<std::int64_t(std::size_t state)> label;  // of a state in which a sequence ends
};

// The rates of `tokens_of_kind`, at every place.
std::function<double(std::int64_t, std::size_t)> uniform_rates(std::vector<std::int64_t> tokens_of_kind);

class MachineTask : public Task {
 public:
  std::vector<double> class_rates(std::int64_t length, std::int64_t vocab) const override;
  std::optional<double> ceiling(View view, std::int64_t length, std::int64_t vocab) const override;

 private:
  virtual Machine machine(std::int64_t length, std::int64_t vocab) const = 0;

  // Which gives a sequence the label of its reversal. `rate` is the same read from either end.
  virtual Machine mirrored(std::int64_t length, std::int64_t vocab) const = 0;

  // Whether the label is a function of the multiset.
  virtual bool order_free() const { return false; }

  // Whether sequences are drawn by class, each class as often as any other and uniform within itself; draw() does so.
  virtual bool balanced() const { return false; }
};

}  // namespace posenc
