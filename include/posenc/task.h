// A task: which sequences are drawn and which class each belongs to. No torch: a task is plain integers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace posenc {

// Uniform integers from a run's own stream.
class Sampler {
 public:
  virtual ~Sampler() = default;
  virtual std::int64_t below(std::int64_t bound) = 0;  // 0..bound-1
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::int64_t classes() const = 0;

  // The class of `tokens`, each 0..vocab-1: 0..classes()-1.
  virtual std::int64_t label(std::span<const std::int64_t> tokens) const = 0;

  // Fills `tokens` with one sequence; by default every token is uniform over the vocabulary.
  virtual void draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const;

  // Probability of the most frequent class of a drawn sequence: what the best constant guess reaches.
  virtual double majority_rate(std::int64_t length, std::int64_t vocab) const = 0;
};

// Builds the task that `choice` (NAME[:key=value,...]) names. Throws Error when there is none.
std::unique_ptr<Task> make_task(const std::string& choice);

}  // namespace posenc
