#include "training/machine.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "config/cores.h"
#include "config/memory.h"
#include "config/threads.h"
#include "posenc/catalog.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "training/trainer.h"

namespace posenc {

void check_threads(std::int64_t threads) {
  constexpr std::int64_t kHarmless = 16;  // more threads than cores only slow a run down, but thousands never end
  if (const std::int64_t most = std::max(kHarmless, usable_cores()); threads > most)
    throw Error(fmt::format("--threads is more than this machine serves (given {}, allowed: 1..{})", threads, most));
  // Once for a number: the runs of a sweep would take each other's for a moment, and see fewer than there are.
  static std::mutex mutex;
  static std::int64_t started = 1;
  const std::lock_guard guard(mutex);
  if (threads <= started) return;
  const std::int64_t pools = 2;  // OpenMP's, and LibTorch's own; the calling thread is one of each
  const std::int64_t startable = startable_threads(pools * (threads - 1)) / pools + 1;
  if (startable < threads)
    throw Error(
        fmt::format("--threads is more than this process may start (given {}, allowed: 1..{})", threads, startable));
  started = threads;
}

void use_threads(std::int64_t threads) {
  check_threads(threads);
  at::set_num_threads(static_cast<int>(threads));
}

void check_machine(const RunConfig& config) {
  if (config.deterministic) make_deterministic();
  check_memory(config, catalog());
  open_device(config.device);
  check_threads(config.threads);
}

}  // namespace posenc
