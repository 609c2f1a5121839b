// Runs many configurations at once and keeps every result. One thread a job; what a run computes does not depend on how
// many there are or on their order.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "posenc/run.h"
#include "results/store.h"
#include "sweep/plan.h"

namespace posenc {

struct ExecutorOptions {
  std::int64_t jobs = 1;
  std::optional<double> timeout;  // seconds a run may take, asked between its steps
  bool fail_fast = false;         // stop after the first run that failed or diverged
};

struct SweepCounts {
  std::uint64_t total = 0;  // of this call, without those that were there already
  std::uint64_t finished = 0;
  std::uint64_t diverged = 0;
  std::uint64_t failed = 0;
  std::uint64_t done() const { return finished + diverged + failed; }
};

// posenc::run, or a stand-in.
using Runner =
    std::function<RunResult(const RunConfig& config, const RunObserver& observer, const std::string& model_path)>;

// Trains the runs at `places` of `plan`, the dearest first, on as many threads as there are jobs or, where the system
// starts no more, on fewer, and appends each to `store` as it ends. A run that throws,
// diverges or takes too long is recorded with its message and the others go on. `on_result` is called by one thread at
// a time. Returns when all are done or `stop_requested` says so; runs in flight are then dropped. Throws Error when a
// result cannot be kept.
SweepCounts execute(const Plan& plan, const std::vector<std::uint64_t>& places, Store& store,
                    const ExecutorOptions& options, const Runner& runner, const std::function<bool()>& stop_requested,
                    const std::function<void(const RunRecord&, const SweepCounts&)>& on_result);

}  // namespace posenc
