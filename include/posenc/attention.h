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
// summing to 1. `config` is the one it was trained with, on the lengths in `trained`, and must have passed check().
// Positions beyond a table are treated as --oob says. Throws Error (usage) as Predictor does.
std::vector<Grid> attention(const RunConfig& config, const std::string& path, const std::vector<std::int64_t>& trained,
                            std::span<const std::int64_t> tokens);

}  // namespace posenc
