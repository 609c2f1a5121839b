// How many runs go on at once.
#pragma once

#include <cstdint>

#include "cli/console.h"

namespace posenc {

// `jobs` runs of `threads` threads each, or as many as the system lets this process start, at least one; a warning says
// when that is fewer.
std::int64_t startable_jobs(std::int64_t jobs, std::int64_t threads, Console& console);

}  // namespace posenc
