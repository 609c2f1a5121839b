#include "training/run_data.h"

#include <algorithm>
#include <limits>

#include "config/curriculum_choice.h"
#include "posenc/catalog.h"
#include "training/random_streams.h"

namespace posenc {
namespace {

std::unique_ptr<Curriculum> make_curriculum(const std::string& text, const LengthRange& lengths) {
  const CurriculumChoice choice = read_curriculum_choice(text, catalog(), "--curriculum");
  return choice.entry->make(choice.parameters, lengths);
}

}  // namespace

RunData::RunData(const RunConfig& config, at::Generator& stream, torch::Device device)
    : config_(config),
      task_(make_task(config.task)),
      lengths_(trained_lengths(config)),
      curriculum_(make_curriculum(config.curriculum, lengths_)),
      pairs_(config) {
  if (fixed()) train_ = draw(config_.train_size, lengths_.longest, /*held_out=*/false, stream).to(device);
  int64_t next = 0;
  for (const int64_t count : validation_sizes(config_)) {
    const int64_t length = lengths_.at(next++);
    if (count > 0) validation_.push_back(draw(count, length, pairs_.any(), stream).to(device));
  }
}

Dataset RunData::draw(int64_t count, int64_t length, bool held_out, at::Generator& generator) const {
  if (!pairs_.any()) return draw_dataset(*task_, count, length, config_.vocab, generator);
  return draw_dataset(*task_, count, length, config_.vocab, generator,
                      [&](std::span<const int64_t> tokens) { return pairs_.holds(tokens) == held_out; });
}

Dataset RunData::online_batch(int64_t step) const {
  const auto uniform = [&] {
    return torch::rand({1}, data_generator(config_, "length of a step", step), torch::kFloat64).item<double>();
  };
  const int64_t length = curriculum_->length(step, uniform);
  // The last batch of an epoch ends with it; steps that are counted on their own are all whole.
  const int64_t left = config_.train_size - step % steps_an_epoch(config_) * config_.batch_size;
  const int64_t count = config_.steps > 0 ? config_.batch_size : std::min(config_.batch_size, left);
  at::Generator generator = data_generator(config_, "batch", step);
  return draw(count, length, /*held_out=*/false, generator);
}

void RunData::validated(const std::vector<double>& accuracies) {
  std::vector<double> by_length(static_cast<std::size_t>(lengths_.count()), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < validation_.size(); ++i)
    by_length[static_cast<std::size_t>((validation_[i].length() - lengths_.shortest) / lengths_.step)] = accuracies[i];
  curriculum_->validated(by_length);
}

Dataset RunData::test_set(int64_t length) const {
  at::Generator generator = data_generator(config_, "test", length);
  return draw(config_.eval_size, length, pairs_.any(), generator);
}

std::vector<int64_t> RunData::validation_labels() const {
  std::vector<int64_t> counts(static_cast<std::size_t>(classes()), 0);
  for (const Dataset& set : validation_) {
    const std::vector<int64_t> more = set.class_counts(classes());
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += more[c];
  }
  return counts;
}

}  // namespace posenc
