#include "tasks/machine.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace posenc {
namespace {

constexpr double kMostWork = 3e7;                 // transitions that are counted, a second or so
constexpr double kMostOfTwoKinds = 2e8;           // the same where they need no finding
constexpr double kLookup = 30;                    // what finding a multiset costs beside a transition
constexpr std::size_t kMostNumbers = 10'000'000;  // that are kept

using Rates = std::vector<double>;  // of each state

// Adds to `after` the states that a token of `kind` leads to, of states before.
void add_step(const Machine& machine, const Rates& before, std::size_t kind, std::int64_t place, Rates& after) {
  after.resize(machine.states, 0.0);
  const double rate = machine.rate(place, kind);
  if (rate == 0) return;
  for (std::size_t state = 0; state < machine.states; ++state)
    if (before[state] > 0) after[machine.next(state, kind, place)] += rate * before[state];
}

Rates at_start(const Machine& machine) {
  Rates rates(machine.states, 0.0);
  rates[machine.start] = 1;
  return rates;
}

// The states at the end, where a first token of one kind was read.
std::vector<Rates> by_first_token(const Machine& machine, std::int64_t length) {
  std::vector<Rates> ends;
  for (std::size_t first = 0; first < machine.kinds; ++first) {
    Rates rates;
    add_step(machine, at_start(machine), first, 0, rates);
    for (std::int64_t place = 1; place < length; ++place) {
      Rates after;
      for (std::size_t kind = 0; kind < machine.kinds; ++kind) add_step(machine, rates, kind, place, after);
      rates = std::move(after);
    }
    ends.push_back(std::move(rates));
  }
  return ends;
}

// The states at the end.
Rates at_end(const Machine& machine, std::int64_t length) {
  Rates rates = at_start(machine);
  for (std::int64_t place = 0; place < length; ++place) {
    Rates after;
    for (std::size_t kind = 0; kind < machine.kinds; ++kind) add_step(machine, rates, kind, place, after);
    rates = std::move(after);
  }
  return rates;
}

// What was seen, as a number: how often each kind, and the kind that is told besides.
struct Seen {
  std::uint64_t counts = 0, told = 0;
  bool operator==(const Seen&) const = default;
};

struct HashOfSeen {
  std::size_t operator()(const Seen& seen) const {
    return static_cast<std::size_t>((seen.counts + (seen.told << 32)) * 0x9e3779b97f4a7c15u);
  }
};

using BySight = std::unordered_map<Seen, Rates, HashOfSeen>;

// The states at the end by multiset, with the kind of the first or last token where `view` tells it. Nothing where that
// is too much work, or more than a key holds.
std::optional<BySight> by_multiset(const Machine& machine, View view, std::int64_t length) {
  const double base = static_cast<double>(length) + 1;
  if (static_cast<double>(machine.kinds) * std::log2(base) > 63) return std::nullopt;
  std::vector<std::uint64_t> unit(machine.kinds, 1);
  for (std::size_t kind = 1; kind < machine.kinds; ++kind)
    unit[kind] = unit[kind - 1] * (static_cast<std::uint64_t>(length) + 1);
  double work = 0;
  BySight now = {{Seen{}, at_start(machine)}};
  for (std::int64_t place = 0; place < length; ++place) {
    const bool told =
        (view == View::first_and_multiset && place == 0) || (view == View::last_and_multiset && place == length - 1);
    BySight after;
    for (const auto& [seen, rates] : now)
      for (std::size_t kind = 0; kind < machine.kinds; ++kind) {
        if (machine.rate(place, kind) == 0) continue;
        work += static_cast<double>(machine.states) + kLookup;
        add_step(machine, rates, kind, place, after[{seen.counts + unit[kind], told ? kind + 1 : seen.told}]);
      }
    if (work > kMostWork || after.size() * machine.states > kMostNumbers) return std::nullopt;
    now = std::move(after);
  }
  return now;
}

// The same of two kinds, where the count of the second says all: in the order of told kind and count.
std::vector<Rates> by_count(const Machine& machine, View view, std::int64_t length) {
  const auto counts = static_cast<std::size_t>(length) + 1;
  constexpr std::size_t kTold = 3;  // nothing, or one of the two
  std::vector<Rates> now(kTold * counts);
  now[0] = at_start(machine);
  for (std::int64_t place = 0; place < length; ++place) {
    const bool tells =
        (view == View::first_and_multiset && place == 0) || (view == View::last_and_multiset && place == length - 1);
    std::vector<Rates> after(now.size());
    for (std::size_t told = 0; told < kTold; ++told)
      for (std::size_t count = 0; count <= static_cast<std::size_t>(place); ++count) {
        const Rates& rates = now[told * counts + count];
        if (rates.empty()) continue;
        for (std::size_t kind = 0; kind < 2; ++kind)
          add_step(machine, rates, kind, place, after[(tells ? kind + 1 : told) * counts + count + kind]);
      }
    now = std::move(after);
  }
  return now;
}

Rates labels(const Machine& machine, const Rates& states, std::int64_t classes) {
  Rates rates(static_cast<std::size_t>(classes), 0.0);
  for (std::size_t state = 0; state < machine.states; ++state)
    if (states[state] > 0) rates[static_cast<std::size_t>(machine.label(state))] += states[state];
  return rates;
}

// Both machines at once.
Machine product(const Machine& a, const Machine& b) {
  return {.kinds = a.kinds,
          .states = a.states * b.states,
          .start = a.start * b.states + b.start,
          .rate = a.rate,
          .next =
              [&](std::size_t state, std::size_t kind, std::int64_t place) {
                return a.next(state / b.states, kind, place) * b.states + b.next(state % b.states, kind, place);
              },
          .label = nullptr};
}

}  // namespace

std::function<double(std::int64_t, std::size_t)> uniform_rates(std::vector<std::int64_t> tokens_of_kind) {
  const auto all = static_cast<double>(std::accumulate(tokens_of_kind.begin(), tokens_of_kind.end(), std::int64_t{0}));
  return [tokens_of_kind = std::move(tokens_of_kind), all](std::int64_t, std::size_t kind) {
    return static_cast<double>(tokens_of_kind[kind]) / all;
  };
}

std::vector<double> MachineTask::class_rates(std::int64_t length, std::int64_t vocab) const {
  if (balanced()) return Rates(static_cast<std::size_t>(classes()), 1.0 / static_cast<double>(classes()));
  const Machine reader = machine(length, vocab);
  return labels(reader, at_end(reader, length), classes());
}

std::optional<double> MachineTask::ceiling(View view, std::int64_t length, std::int64_t vocab) const {
  if (view == View::everything) return 1.0;
  if (view == View::nothing) return majority_rate(length, vocab);
  if (order_free() && view != View::first_token) return 1.0;
  const Machine reader = machine(length, vocab);

  // A class is drawn so many times as often as under independent tokens.
  Rates factor(static_cast<std::size_t>(classes()), 1.0);
  if (balanced()) {
    constexpr double kRarest = 1e-280;  // what doubles can still divide by
    const Rates rates = labels(reader, at_end(reader, length), classes());
    for (std::size_t c = 0; c < factor.size(); ++c) {
      if (rates[c] < kRarest) return std::nullopt;
      factor[c] = 1 / (static_cast<double>(classes()) * rates[c]);
    }
  }
  const auto best = [&](const Rates& states) {
    const Rates rates = labels(reader, states, classes());
    double most = 0;
    for (std::size_t c = 0; c < rates.size(); ++c) most = std::max(most, factor[c] * rates[c]);
    return most;
  };

  double sum = 0;
  if (view == View::first_token) {
    const auto k = static_cast<double>(reader.kinds);
    if (k * k * static_cast<double>(reader.states) * static_cast<double>(length) > kMostOfTwoKinds) return std::nullopt;
    for (const Rates& states : by_first_token(reader, length)) sum += best(states);
  } else if (view == View::up_to_reversal) {
    const Machine back = mirrored(length, vocab), both = product(reader, back);
    if (static_cast<double>(both.states * both.kinds * both.kinds) * static_cast<double>(length) > kMostWork)
      return std::nullopt;
    const Rates states = at_end(both, length);
    for (std::size_t state = 0; state < both.states; ++state) {
      if (states[state] == 0) continue;
      const auto here = static_cast<std::size_t>(reader.label(state / back.states)),
                 there = static_cast<std::size_t>(back.label(state % back.states));
      sum += states[state] * (here == there ? factor[here] : std::max(factor[here], factor[there]) / 2);
    }
  } else {
    if (reader.kinds == 2) {
      if (static_cast<double>(length) * static_cast<double>(length) * static_cast<double>(reader.states) >
          kMostOfTwoKinds)
        return std::nullopt;
      for (const Rates& states : by_count(reader, view, length))
        if (!states.empty()) sum += best(states);
      return sum;
    }
    const std::optional<BySight> ends_by_sight = by_multiset(reader, view, length);
    if (!ends_by_sight) return std::nullopt;
    for (const auto& [seen, states] : *ends_by_sight) sum += best(states);
  }
  return sum;
}

}  // namespace posenc
