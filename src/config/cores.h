// How many processors this process may use.
#pragma once

#include <cstdint>

#include "config/cgroup.h"

namespace posenc {

// `pinned`, or fewer where a control group gives less processor time; a share of a processor counts as one.
std::int64_t cores_within(std::int64_t pinned, const CgroupLimits& limits);

// The processors that this process is pinned to, or all of the machine, within its control groups. At least 1.
std::int64_t usable_cores();

}  // namespace posenc
