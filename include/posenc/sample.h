// The sequences that a run trains on, behind a function that needs no torch header.
#pragma once

#include <cstdint>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

struct LabelledSequence {
  std::vector<std::int64_t> tokens;
  std::int64_t label;
};

// The first `count` training sequences of a run of `config`, which must have passed check(). count >= 1.
// Throws Error (usage) as run() does.
std::vector<LabelledSequence> sample(const RunConfig& config, std::int64_t count);

}  // namespace posenc
