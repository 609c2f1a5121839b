// How long a run takes, for dividing work: a pure function of the configuration, so that every machine divides it
// alike.
#pragma once

#include "posenc/run_config.h"

namespace posenc {

// Relative to other runs; about seconds on one core of 2025. Only ratios matter.
double run_cost(const RunConfig& config);

}  // namespace posenc
