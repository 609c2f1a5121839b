// A task: which sequences are drawn and which class each belongs to. No torch: a task is plain integers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace posenc {

// Uniform integers from a run's own stream.
class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual std::int64_t below(std::int64_t bound) = 0;  // 0..bound-1
};

// What of a sequence a model's answer can depend on.
enum class View {
  everything,
  up_to_reversal,      // the sequence or its reversal, not which of the two
  multiset,            // how often each token occurs
  first_and_multiset,  // the first token, and how often each token occurs
  last_and_multiset,
  first_token,
  nothing,
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::int64_t classes() const = 0;

  // The class of `tokens`, each 0..vocab-1: 0..classes()-1.
  virtual std::int64_t label(std::span<const std::int64_t> tokens) const = 0;

  // Fills `tokens` with one sequence; by default every token is uniform over the vocabulary.
  virtual void draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const;

  // Probability of each class of a drawn sequence, exact; they sum to 1.
  virtual std::vector<double> class_rates(std::int64_t length, std::int64_t vocab) const = 0;

  // The best accuracy of any function of `view`: the sum, over all that the view can show, of the probability of the
  // class that is most frequent there. Exact but for rounding (docs/CEILINGS.md). Nothing where counting would take
  // seconds; by default for all views but everything and nothing.
  virtual std::optional<double> ceiling(View view, std::int64_t length, std::int64_t vocab) const;

  // The greatest of class_rates(): what the best constant guess reaches.
  double majority_rate(std::int64_t length, std::int64_t vocab) const;
};

// Builds the task that `choice` (NAME[:key=value,...]) names. Throws Error when there is none.
std::unique_ptr<Task> make_task(const std::string& choice);

}  // namespace posenc
