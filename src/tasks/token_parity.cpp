#include "tasks/token_parity.h"

#include "tasks/machine.h"

namespace posenc {
namespace {

class TokenParity : public MachineTask {
 public:
  explicit TokenParity(std::int64_t place) : place_(place) {}

  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    return tokens[static_cast<std::size_t>(from_front(static_cast<std::int64_t>(tokens.size())))] % 2;
  }

 private:
  std::int64_t from_front(std::int64_t length) const { return place_ < 0 ? length + place_ : place_; }

  static Machine of_place(std::int64_t asked, std::int64_t vocab) {
    return {.kinds = 2,
            .states = 2,
            .rate = uniform_rates(even_and_odd(vocab)),
            .next = [asked](std::size_t state, std::size_t kind,
                            std::int64_t place) { return place == asked ? kind : state; },
            .label = [](std::size_t state) { return static_cast<std::int64_t>(state); }};
  }

  Machine machine(std::int64_t length, std::int64_t vocab) const override {
    return of_place(from_front(length), vocab);
  }

  Machine mirrored(std::int64_t length, std::int64_t vocab) const override {
    return of_place(length - 1 - from_front(length), vocab);
  }

  std::int64_t place_;
};

}  // namespace

std::unique_ptr<Task> token_parity(std::int64_t place) { return std::make_unique<TokenParity>(place); }

}  // namespace posenc
