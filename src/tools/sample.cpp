#include "posenc/sample.h"

#include <fmt/format.h>

#include "posenc/error.h"
#include "posenc/run.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {
namespace {

Trainer trainer_of(RunConfig config) {
  config.val_size = 1;
  config.device = "cpu";
  use_threads(config.threads);
  check_machine(config);
  return Trainer(config);
}

void append(const Dataset& data, std::vector<LabelledSequence>& sequences) {
  for (int64_t i = 0; i < data.size(); ++i) {
    const int64_t* tokens = data.tokens.const_data_ptr<int64_t>() + i * data.length();
    sequences.push_back({{tokens, tokens + data.length()}, data.labels.const_data_ptr<int64_t>()[i]});
  }
}

}  // namespace

std::vector<LabelledSequence> sample(const RunConfig& given, std::int64_t count) {
  // Sequences are drawn one after the other, so that the first of them do not depend on how many follow.
  RunConfig config = given;
  if (config.data != "online") config.train_size = std::min(config.train_size, count);
  const Trainer trainer = trainer_of(config);
  std::vector<LabelledSequence> sequences;
  if (trainer.data().fixed()) {
    append(trainer.training_set(), sequences);
    return sequences;
  }
  for (int64_t step = 0; static_cast<int64_t>(sequences.size()) < count; ++step)
    append(trainer.data().online_batch(step), sequences);
  sequences.resize(static_cast<std::size_t>(count));
  return sequences;
}

std::vector<LabelledSequence> sample_batch(const RunConfig& config, std::int64_t step) {
  if (config.data != "online")
    throw Error(fmt::format("--step is of data that are drawn for each step (given with --data {}, allowed: online)",
                            config.data));
  const Trainer trainer = trainer_of(config);
  if (trainer.data().follows_validation())
    throw Error(
        fmt::format("--step has no length before a model is trained (given with --curriculum {})", config.curriculum));
  std::vector<LabelledSequence> sequences;
  append(trainer.data().online_batch(step), sequences);
  return sequences;
}

}  // namespace posenc
