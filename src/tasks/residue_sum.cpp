#include "tasks/residue_sum.h"

#include <algorithm>

#include "tasks/machine.h"

namespace posenc {
namespace {

class ResidueSum : public MachineTask {
 public:
  ResidueSum(std::int64_t modulus, std::int64_t shift) : modulus_(modulus), shift_(shift) {}

  std::int64_t classes() const override { return modulus_; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    std::int64_t sum = 0;
    for (const std::int64_t token : tokens) sum += token + shift_;
    return (sum % modulus_ + modulus_) % modulus_;
  }

 private:
  bool order_free() const override { return true; }

  Machine machine(std::int64_t, std::int64_t vocab) const override {
    const auto modulus = static_cast<std::size_t>(modulus_);
    std::vector<std::int64_t> tokens_of_kind;  // by residue
    for (std::int64_t residue = 0; residue < std::min(modulus_, vocab); ++residue)
      tokens_of_kind.push_back((vocab - residue + modulus_ - 1) / modulus_);
    const auto shift = static_cast<std::size_t>((shift_ % modulus_ + modulus_) % modulus_);
    return {.kinds = tokens_of_kind.size(),
            .states = modulus,
            .rate = uniform_rates(tokens_of_kind),
            .next = [modulus, shift](std::size_t state, std::size_t kind,
                                     std::int64_t) { return (state + kind + shift) % modulus; },
            .label = [](std::size_t state) { return static_cast<std::int64_t>(state); }};
  }

  Machine mirrored(std::int64_t length, std::int64_t vocab) const override { return machine(length, vocab); }

  std::int64_t modulus_, shift_;
};

}  // namespace

std::unique_ptr<Task> residue_sum(std::int64_t modulus, std::int64_t shift) {
  return std::make_unique<ResidueSum>(modulus, shift);
}

}  // namespace posenc
