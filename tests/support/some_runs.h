// Runs over encodings and seeds with accuracies that a test chooses.
#pragma once

#include <functional>
#include <vector>

#include "config/identity.h"
#include "support/plain_catalog.h"
#include "support/some_record.h"

namespace posenc {

// One finished run with three epochs, the last at `accuracy`, with the loss 1 - accuracy.
inline RunRecord run_with(const std::string& pos, std::int64_t seed, double accuracy) {
  RunRecord record = some_record(seed);
  record.config = RunConfig{};
  record.config.pos = pos;
  record.config.seeding = "paired";
  record.config.seed = record.config.data_seed = record.config.init_seed = seed;
  record.config.epochs = 3;
  record.run_id = run_id(record.config, plain_catalog());
  record.result.epochs = {{1, 0.7, 0.5}, {2, 0.6, (0.5 + accuracy) / 2}, {3, 1 - accuracy, accuracy}};
  return record;
}

inline void set_length(RunRecord& record, std::int64_t length) {
  record.config.seq_len = record.config.max_len = length;
  record.run_id = run_id(record.config, plain_catalog());
}

inline RunRecord failed(RunRecord record, const std::string& message) {
  record.result.status = RunResult::Status::failed;
  record.result.message = message;
  record.result.epochs.clear();
  record.result.bounds.reset();
  return record;
}

}  // namespace posenc
