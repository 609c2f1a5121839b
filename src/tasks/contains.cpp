// Does a word occur, as neighbouring tokens? In half of the sequences. Example, w = 1-4: 3 7 1 4 -> 1.
#include <algorithm>
#include <string>

#include "config/choice.h"
#include "posenc/catalog.h"
#include "tasks/machine.h"

namespace posenc {
namespace {

using Word = std::vector<std::int64_t>;

// "1-4" as {1, 4}; empty when it is no word of tokens, each in its one way of writing.
Word read_word(std::string_view text) {
  Word word;
  for (const std::string& piece : split(text, '-')) {
    const bool number =
        !piece.empty() && piece.size() < 10 && std::ranges::all_of(piece, [](char c) { return '0' <= c && c <= '9'; });
    if (!number || (piece.size() > 1 && piece.front() == '0')) return {};
    word.push_back(std::stoll(piece));
  }
  return word;
}

// Knuth, Morris and Pratt's machine: the state is how much of the word the last tokens are; the last state stays.
class Finder {
 public:
  explicit Finder(Word word) : word_(std::move(word)), letters_(word_) {
    std::ranges::sort(letters_);
    letters_.erase(std::ranges::unique(letters_).begin(), letters_.end());
    next_.assign((word_.size() + 1) * kinds(), 0);
    for (std::size_t state = 0; state <= word_.size(); ++state)
      for (std::size_t kind = 0; kind < kinds(); ++kind) next_[state * kinds() + kind] = after(state, kind);
  }

  std::size_t kinds() const { return letters_.size() + 1; }  // each letter of the word, and all other tokens
  std::size_t found() const { return word_.size(); }
  std::size_t next(std::size_t state, std::size_t kind) const { return next_[state * kinds() + kind]; }

  std::size_t kind(std::int64_t token) const {
    const auto place = std::ranges::lower_bound(letters_, token);
    return place != letters_.end() && *place == token ? static_cast<std::size_t>(place - letters_.begin())
                                                      : letters_.size();
  }

  std::vector<std::int64_t> tokens_of_kind(std::int64_t vocab) const {
    std::vector<std::int64_t> counts(letters_.size(), 1);
    counts.push_back(vocab - static_cast<std::int64_t>(letters_.size()));
    return counts;
  }

  // One of them, uniform.
  std::int64_t token(std::size_t kind, std::int64_t vocab, Sampler& sampler) const {
    if (kind < letters_.size()) return letters_[kind];
    std::int64_t token = sampler.below(vocab - static_cast<std::int64_t>(letters_.size()));
    for (const std::int64_t letter : letters_) token += token >= letter ? 1 : 0;
    return token;
  }

 private:
  // The longest beginning of the word that the first `state` letters and then `kind` end with.
  std::size_t after(std::size_t state, std::size_t kind) const {
    if (state == word_.size()) return state;
    if (kind == letters_.size()) return 0;
    Word read(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(state));
    read.push_back(letters_[kind]);
    for (std::size_t size = read.size(); size > 0; --size)
      if (std::equal(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(size),
                     read.end() - static_cast<std::ptrdiff_t>(size)))
        return size;
    return 0;
  }

  Word word_, letters_;
  std::vector<std::size_t> next_;
};

class Contains : public MachineTask {
 public:
  explicit Contains(const Word& word)
      : finder_(word), backwards_(Word(word.rbegin(), word.rend())), size_(word.size()) {}

  std::int64_t classes() const override { return 2; }

  std::int64_t label(std::span<const std::int64_t> tokens) const override {
    std::size_t state = 0;
    for (const std::int64_t token : tokens) state = finder_.next(state, finder_.kind(token));
    return state == finder_.found() ? 1 : 0;
  }

  // Token by token, each with its probability given that the word will, or will not, occur.
  void draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const override {
    const bool wanted = sampler.below(2) == 1;
    const std::vector<std::int64_t> counts = finder_.tokens_of_kind(vocab);
    const auto chances = chances_of(wanted, static_cast<std::int64_t>(tokens.size()), vocab);
    std::size_t state = 0;
    for (std::size_t place = 0; place < tokens.size(); ++place) {
      const std::vector<double>& later = chances[tokens.size() - place - 1];
      double whole = 0;
      for (std::size_t kind = 0; kind < counts.size(); ++kind)
        whole += static_cast<double>(counts[kind]) * later[finder_.next(state, kind)];
      constexpr std::int64_t kSteps = std::int64_t{1} << 53;
      double point = static_cast<double>(sampler.below(kSteps)) / static_cast<double>(kSteps) * whole;
      std::size_t chosen = counts.size();
      for (std::size_t kind = 0; kind < counts.size(); ++kind) {
        const double weight = static_cast<double>(counts[kind]) * later[finder_.next(state, kind)];
        if (weight == 0) continue;
        chosen = kind;
        if (point < weight) break;
        point -= weight;
      }
      tokens[place] = finder_.token(chosen, vocab, sampler);
      state = finder_.next(state, chosen);
    }
  }

 private:
  bool balanced() const override { return true; }
  bool order_free() const override { return size_ == 1; }

  Machine of(const Finder& finder, std::int64_t vocab) const {
    return {.kinds = finder.kinds(),
            .states = size_ + 1,
            .rate = uniform_rates(finder.tokens_of_kind(vocab)),
            .next = [&finder](std::size_t state, std::size_t kind, std::int64_t) { return finder.next(state, kind); },
            .label = [this](std::size_t state) -> std::int64_t { return state == size_ ? 1 : 0; }};
  }

  Machine machine(std::int64_t, std::int64_t vocab) const override { return of(finder_, vocab); }
  Machine mirrored(std::int64_t, std::int64_t vocab) const override { return of(backwards_, vocab); }

  // The probability, from each state, that so many more tokens bring the word, or do not, over the greatest of them:
  // [tokens to come][state].
  std::vector<std::vector<double>> chances_of(bool wanted, std::int64_t length, std::int64_t vocab) const {
    const std::vector<std::int64_t> counts = finder_.tokens_of_kind(vocab);
    std::vector<std::vector<double>> chances = {std::vector<double>(size_ + 1, wanted ? 0 : 1)};
    chances[0][size_] = wanted ? 1 : 0;
    for (std::int64_t more = 1; more < length; ++more) {
      std::vector<double> now(size_ + 1, 0.0);
      for (std::size_t state = 0; state <= size_; ++state)
        for (std::size_t kind = 0; kind < counts.size(); ++kind)
          now[state] += static_cast<double>(counts[kind]) / static_cast<double>(vocab) *
                        chances.back()[finder_.next(state, kind)];
      // Only the chances of one row are compared, so that each row may have a unit of its own; none runs out of range.
      const double most = std::ranges::max(now);
      for (double& chance : now) chance /= most;
      chances.push_back(std::move(now));
    }
    return chances;
  }

  Finder finder_, backwards_;
  std::size_t size_;
};

Word word_of(const Parameters& parameters) { return read_word(parameters.text("w")); }

}  // namespace

namespace tasks {

TaskEntry contains() {
  TaskEntry entry;
  entry.name = "contains";
  entry.formula = "the word w occurs";
  entry.source = "Weiss et al. 2021, arXiv 2106.06981 (substring recognition)";
  entry.parameters = {
      {"w",
       ValueType::text("tokens joined by -, as 1-4", [](std::string_view text) { return !read_word(text).empty(); }),
       std::string("1-1"), "the word"}};
  entry.balanced = true;
  entry.least_length = [](const Parameters& parameters) {
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(word_of(parameters).size()));
  };
  entry.least_vocab = [](const Parameters& parameters) {
    return std::max<std::int64_t>(2, std::ranges::max(word_of(parameters)) + 1);
  };
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<Task> {
    return std::make_unique<Contains>(word_of(parameters));
  };
  entry.definition = [](const Parameters& parameters, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    const Word word = word_of(parameters);
    return std::ranges::search(tokens, word).empty() ? 0 : 1;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
