// The value modulo 5 of digits 0..4 joined by 5 = plus, 6 = minus, 7 = times, which binds first.
// Example: 3 5 4 7 2 -> 1, since 3 + 4 x 2 = 11. Digits and operators are drawn uniformly.
#include "posenc/catalog.h"
#include "posenc/task.h"
#include "tasks/machine.h"

namespace posenc {
namespace {

constexpr std::int64_t kModulus = 5, kOperators = 3, kVocab = kModulus + kOperators;
enum Operator : std::int64_t { plus = 5, minus = 6, times = 7 };

std::int64_t modulo(std::int64_t number) { return (number % kModulus + kModulus) % kModulus; }

// A sum of finished products, and the product that goes on. As an index: their residues, and what a digit does next.
struct Reading {
  std::int64_t sum = 0, product = 0;
  std::int64_t pending = plus;  // the operator before the next digit

  std::size_t index() const {
    return static_cast<std::size_t>((sum * kModulus + product) * kOperators + pending - plus);
  }
  static Reading at(std::size_t index) {
    const auto i = static_cast<std::int64_t>(index);
    return {i / kOperators / kModulus, i / kOperators % kModulus, i % kOperators + plus};
  }
};
constexpr std::size_t kStates = kModulus * kModulus * kOperators;

Reading read(Reading reading, std::int64_t token) {
  if (token >= kModulus) {
    reading.pending = token;
    return reading;
  }
  if (reading.pending == times) {
    reading.product = modulo(reading.product * token);
  } else {
    reading.sum = modulo(reading.sum + reading.product);
    reading.product = modulo(reading.pending == minus ? -token : token);
  }
  reading.pending = plus;
  return reading;
}

// From the other end a product has the sign that stands behind it.
Reading read_backwards(Reading reading, std::int64_t token) {
  if (token < kModulus) {
    reading.product = modulo(reading.pending == times ? reading.product * token : token);
    reading.pending = plus;
  } else if (token == times) {
    reading.pending = times;
  } else {
    reading.sum = modulo(token == plus ? reading.sum + reading.product : reading.sum - reading.product);
    reading.product = 0;
  }
  return reading;
}

std::int64_t value(const Reading& reading) { return modulo(reading.sum + reading.product); }

class ModularArithmetic : public MachineTask {
 public:
  std::int64_t classes() const override { return kModulus; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    Reading reading;
    for (const std::int64_t token : tokens) reading = read(reading, token);
    return value(reading);
  }

  void draw(Sampler& sampler, std::int64_t, std::span<std::int64_t> tokens) const override {
    for (std::size_t place = 0; place < tokens.size(); ++place)
      tokens[place] = place % 2 == 0 ? sampler.below(kModulus) : plus + sampler.below(kOperators);
  }

 private:
  static Machine of(Reading (*reader)(Reading, std::int64_t)) {
    return {
        .kinds = kVocab,
        .states = kStates,
        .rate =
            [](std::int64_t place, std::size_t kind) {
              const bool digit = kind < static_cast<std::size_t>(kModulus);
              if (digit != (place % 2 == 0)) return 0.0;
              return 1.0 / static_cast<double>(digit ? kModulus : kOperators);
            },
        .next = [reader](std::size_t state, std::size_t kind,
                         std::int64_t) { return reader(Reading::at(state), static_cast<std::int64_t>(kind)).index(); },
        .label = [](std::size_t state) { return value(Reading::at(state)); }};
  }

  Machine machine(std::int64_t, std::int64_t) const override { return of(read); }
  Machine mirrored(std::int64_t, std::int64_t) const override { return of(read_backwards); }
};

// By recursion over the last operator that binds least.
std::int64_t evaluate(std::span<const std::int64_t> tokens) {
  if (tokens.size() == 1) return tokens.front();
  for (const bool product : {false, true})
    for (std::size_t i = tokens.size() - 1; i-- > 0;) {
      const std::int64_t token = tokens[i];
      if (token < plus || (token == times) != product) continue;
      const std::int64_t left = evaluate(tokens.first(i)), right = evaluate(tokens.subspan(i + 1));
      return modulo(token == plus ? left + right : token == minus ? left - right : left * right);
    }
  return 0;
}

}  // namespace

namespace tasks {

TaskEntry modular_arithmetic() {
  TaskEntry entry;
  entry.name = "modular-arithmetic";
  entry.formula = "value mod 5 of digits 0..4 joined by 5 = plus, 6 = minus, 7 = times";
  entry.source = "Deletang et al. 2023, arXiv 2207.02098 (without brackets)";
  entry.vocab = kVocab;
  entry.odd_length = true;
  entry.least_length = [](const Parameters&) { return std::int64_t{3}; };
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<ModularArithmetic>(); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) { return evaluate(tokens); };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
