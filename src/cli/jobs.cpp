#include "cli/jobs.h"

#include <algorithm>

#include "config/threads.h"

namespace posenc {

std::int64_t startable_jobs(std::int64_t jobs, std::int64_t threads, Console& console) {
  // The calling thread is one of the jobs; with several threads LibTorch keeps a pool of its own beside OpenMP's.
  const std::int64_t pool = threads - 1, wanted = jobs * threads - 1 + pool;
  const std::int64_t started = startable_threads(wanted);
  if (started == wanted) return jobs;
  const std::int64_t fewer = std::max<std::int64_t>(1, (started + 1 - pool) / threads);
  console.say(
      "warning: the system does not start the threads of {} runs at once (a limit such as ulimit -u or -v), so "
      "{} go{} on at once",
      jobs, fewer, fewer == 1 ? "es" : "");
  return fewer;
}

}  // namespace posenc
