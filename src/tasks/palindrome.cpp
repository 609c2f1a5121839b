// Is the sequence its own reversal? In half of the sequences. Example: 3 7 7 3 -> 1.
#include <algorithm>
#include <cmath>

#include "posenc/catalog.h"
#include "posenc/task.h"
#include "tasks/partitions.h"

namespace posenc {
namespace {

class Palindrome : public Task {
 public:
  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    return std::equal(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size() / 2), tokens.rbegin());
  }

  // A uniform palindrome, or a uniform sequence that is none.
  void draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const override {
    const bool wanted = sampler.below(2) == 1;
    do {
      Task::draw(sampler, vocab, tokens);
      if (wanted)
        std::copy(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(tokens.size() / 2), tokens.rbegin());
    } while ((label(tokens) == 1) != wanted);
  }

  std::vector<double> class_rates(std::int64_t, std::int64_t) const override { return {0.5, 0.5}; }

  std::optional<double> ceiling(View view, std::int64_t length, std::int64_t vocab) const override {
    switch (view) {
      case View::everything:
      case View::up_to_reversal:
        return 1.0;
      case View::nothing:
      case View::first_token:
        return 0.5;  // which is uniform in either class
      case View::multiset:
        return of_multiset(length, vocab, /*told_one=*/false);
      case View::first_and_multiset:
      case View::last_and_multiset:  // palindromes and the others are the same sets reversed
        break;
    }
    return of_multiset(length, vocab, /*told_one=*/true);
  }

 private:
  // Only a multiset of pairs, with one token more at odd lengths, has palindromes. Such multisets are counted by their
  // half; all others are surely none. `told_one`: the view tells a token at an end besides.
  static std::optional<double> of_multiset(std::int64_t length, std::int64_t vocab, bool told_one) {
    const std::int64_t half = length / 2;
    const double n = static_cast<double>(length), m = static_cast<double>(half), v = static_cast<double>(vocab);
    const double all = n * std::log(v), palindromes = (m + static_cast<double>(length % 2)) * std::log(v);
    const double log_others = all + std::log1p(-std::exp(palindromes - all));

    // By what more the likelier class is a palindrome, of `mirrored` palindromes and `orders` sequences in all (ln).
    const auto gain = [&](double mirrored, double orders) {
      const double one = std::exp(mirrored - palindromes) / 2;
      const double none = std::exp(orders - log_others) * -std::expm1(std::min(0.0, mirrored - orders)) / 2;
      return std::max(0.0, one - none);
    };
    // Of one multiset, by the token that an end has if that is told.
    const auto gain_of = [&](const std::vector<std::int64_t>& halves, std::ptrdiff_t centre) {
      std::vector<std::int64_t> counts = halves;
      for (std::int64_t& count : counts) count *= 2;
      if (centre >= 0) ++counts[static_cast<std::size_t>(centre)];
      const double mirrored = log_arrangements(halves), orders = log_arrangements(counts);
      if (!told_one) return gain(mirrored, orders);
      double sum = 0;
      for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
          sum += gain(mirrored + std::log(static_cast<double>(halves[i]) / m),
                      orders + std::log(static_cast<double>(counts[i]) / n));
      return sum;
    };

    double sum = 0.5;
    const double work = (length % 2 == 0 ? 1 : m) * (told_one ? m : 1);  // of one partition
    const bool counted = for_each_partition(half, vocab, /*most=*/2e6 / work, [&](const Partition& partition) {
      const double namings = std::exp(log_namings(partition.parts, vocab));
      if (length % 2 == 0) {
        sum += namings * gain_of(partition.parts, -1);
        return;
      }
      std::vector<std::int64_t> halves = partition.parts;
      for (std::size_t i = 0; i < halves.size(); ++i) sum += namings * gain_of(halves, static_cast<std::ptrdiff_t>(i));
      const auto unused = static_cast<double>(vocab) - static_cast<double>(halves.size());
      if (unused == 0) return;
      halves.push_back(0);  // a token of its own in the centre
      sum += namings * unused * gain_of(halves, static_cast<std::ptrdiff_t>(halves.size()) - 1);
    });
    return counted ? std::optional(sum) : std::nullopt;
  }
};

}  // namespace

namespace tasks {

TaskEntry palindrome() {
  TaskEntry entry;
  entry.name = "palindrome";
  entry.formula = "x = reverse x";
  entry.source = "Chomsky 1956, Three models for the description of language";
  entry.balanced = true;
  entry.make = [](const Parameters&) -> std::unique_ptr<Task> { return std::make_unique<Palindrome>(); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    return std::vector<std::int64_t>(tokens.rbegin(), tokens.rend()) == tokens ? 1 : 0;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
