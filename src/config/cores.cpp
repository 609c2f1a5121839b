#include "config/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace posenc {

std::int64_t cores_within(std::int64_t pinned, const CgroupLimits& limits) {
  if (!limits.processors) return pinned;
  return std::clamp<std::int64_t>(std::llround(std::ceil(std::min(*limits.processors, 1e6))), 1, pinned);
}

std::int64_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0;
  const std::int64_t pinned = known ? CPU_COUNT(&set) : std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  return cores_within(pinned, cgroup_limits());
}

}  // namespace posenc
