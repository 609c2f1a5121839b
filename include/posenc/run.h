// One run from configuration to result: the whole of training behind one function that needs no torch header.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

struct EpochResult {
  std::int64_t epoch;  // from 1; 0 is the model before any training, whose train_loss is nan
  double train_loss;   // mean cross-entropy (nats) over the epoch's sequences as they were trained on
  double val_acc;      // share of the validation set, 0..1, without dropout
};

struct RunResult {
  enum class Status { finished, diverged };

  Status status = Status::finished;
  std::string message;  // why, unless finished
  std::vector<EpochResult> epochs;
  double seconds = 0;  // wall time of building, drawing and training

  // The last epoch's; of a run with no epochs the untrained model's.
  EpochResult last() const { return epochs.back(); }
};

struct RunObserver {
  std::function<void(const EpochResult&)> on_epoch;  // called after each epoch's validation
  std::function<bool()> stop_requested;              // asked before each step; true ends the run
};

// Trains and validates as `config` says. `config` must have passed check() (src/config/resolve.h).
// Uses no random generator but its own, so runs may share a process and a moment: the result depends on `config` alone.
// Throws Error: usage before anything is trained, interrupted when stop_requested() said so.
RunResult run(const RunConfig& config, const RunObserver& observer = {});

struct BuildInfo {
  std::string torch_version;
  bool cuda_linked;
  int cuda_devices;  // that answer on this machine
};
BuildInfo build_info();

}  // namespace posenc
