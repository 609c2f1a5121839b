// A finished run that never ran, for tests of what is done with results.
#pragma once

#include "config/identity.h"
#include "results/record.h"
#include "support/plain_catalog.h"

namespace posenc {

inline RunRecord some_record(std::int64_t seed) {
  RunRecord record;
  record.config.seed = seed;
  record.config.lr = 1.0 / 3;
  record.run_id = run_id(record.config, plain_catalog());
  const double s = static_cast<double>(seed);
  record.result.epochs = {{1, 0.7 / (s + 1), 0.5}, {2, 0.1 / 3, 0.9525}};
  record.result.steps_at = {{16, 30 + seed}};
  record.result.bounds = Bounds{0.5, 0.45, 0.55, 0.53, "permutation"};
  record.result.train_labels = {1012, 988};
  record.result.val_labels = {205, 195};
  record.execution = {"2026-01-02T03:04:05Z", "host", 1.25, 1 << 20, "reference"};
  return record;
}

}  // namespace posenc
