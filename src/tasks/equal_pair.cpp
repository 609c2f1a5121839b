#include "tasks/equal_pair.h"

#include <algorithm>
#include <cmath>

#include "tasks/partitions.h"

namespace posenc {
namespace {

class EqualPair : public Task {
 public:
  explicit EqualPair(std::int64_t place) : place_(place) {}

  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    return tokens.front() == tokens[other(tokens.size())] ? 1 : 0;
  }

  // Half of the sequences have equal tokens there, each half uniform.
  void draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const override {
    const bool equal = sampler.below(2) == 1;
    Task::draw(sampler, vocab, tokens);
    const std::int64_t first = tokens.front();
    tokens[other(tokens.size())] = equal ? first : (first + 1 + sampler.below(vocab - 1)) % vocab;
  }

  std::vector<double> class_rates(std::int64_t, std::int64_t) const override { return {0.5, 0.5}; }

  std::optional<double> ceiling(View view, std::int64_t length, std::int64_t vocab) const override {
    const auto place = static_cast<std::int64_t>(other(static_cast<std::size_t>(length)));
    const bool asks_for_last = place == length - 1;
    switch (view) {
      case View::everything:
        return 1.0;
      case View::nothing:
      case View::first_token:
        return 0.5;  // which is uniform in either class
      case View::up_to_reversal:
        return asks_for_last ? 1.0 : 1 - 0.5 / static_cast<double>(vocab);
      case View::first_and_multiset:
        return with_one_of_the_pair(length, vocab);
      case View::last_and_multiset:
        return asks_for_last ? with_one_of_the_pair(length, vocab) : of_multiset(length - 1, vocab);
      case View::multiset:
        break;
    }
    return of_multiset(length, vocab);
  }

 private:
  std::size_t other(std::size_t length) const {
    return place_ < 0 ? length - static_cast<std::size_t>(-place_) : static_cast<std::size_t>(place_);
  }

  // The mass of the likelier class among sequences whose two tokens are equal with probability `equal` when all are
  // uniform: classes are drawn V/2 and V/(2(V-1)) times as often as then.
  static double likelier(double equal, std::int64_t vocab) {
    const auto v = static_cast<double>(vocab);
    return std::max(equal * v, (1 - equal) * v / (v - 1)) / 2;
  }

  // One of the two tokens is known, and the other is any of the other n-1, of which c ~ Bin(n-1, 1/V) equal it.
  static double with_one_of_the_pair(std::int64_t length, std::int64_t vocab) {
    const double others = static_cast<double>(length - 1), rate = 1 / static_cast<double>(vocab);
    double sum = 0;
    for (double c = 0; c <= others; ++c) sum += binomial_probability(others, c, rate) * likelier(c / others, vocab);
    return sum;
  }

  // The two are any two of the n tokens: equal with probability sum c (c-1) / (n (n-1)), c the counts of the multiset.
  static std::optional<double> of_multiset(std::int64_t length, std::int64_t vocab) {
    const double pairs = static_cast<double>(length) * static_cast<double>(length - 1);
    if (pairs == 0) return 0.5;  // one token is left, which says nothing of two others
    double sum = 0;
    const bool counted = for_each_partition(length, vocab, /*most=*/2e6, [&](const Partition& counts) {
      double equal = 0;
      for (const std::int64_t c : counts.parts) equal += static_cast<double>(c * (c - 1));
      sum += multiset_probability(counts, vocab) * likelier(equal / pairs, vocab);
    });
    return counted ? std::optional(sum) : std::nullopt;
  }

  std::int64_t place_;
};

}  // namespace

std::unique_ptr<Task> equal_pair(std::int64_t place) { return std::make_unique<EqualPair>(place); }

}  // namespace posenc
