// Where a saved model looks, behind a function that needs no torch header.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "posenc/inspect.h"
#include "posenc/run_config.h"

namespace posenc {

// The attention probabilities of the model in `path` for one sequence: a grid a layer, (head, query, key), each query's
// summing to 1. `config` is the one it was trained with, and must have passed check(). Throws Error (usage) as
// Predictor does.
std::vector<Grid> attention(const RunConfig& config, const std::string& path, std::span<const std::int64_t> tokens);

}  // namespace posenc
