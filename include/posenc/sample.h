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

// The first `count` training sequences of a run of `config`, which must have passed check(), or all where a fixed set
// has fewer. count >= 1.
// Throws Error (usage) as run() does.
std::vector<LabelledSequence> sample(const RunConfig& config, std::int64_t count);

// What step `step` (from 0) of that run trains on. Throws Error (usage) also where the data are not online, or where
// the length of a step depends on how training goes.
std::vector<LabelledSequence> sample_batch(const RunConfig& config, std::int64_t step);

}  // namespace posenc
