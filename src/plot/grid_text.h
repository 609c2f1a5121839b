// An encoding's numbers as text, CSV and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "posenc/grid.h"

namespace posenc {

// A heading, then a row of numbers a line; grids of three axes as one matrix after another. With `names`, one a row and
// column, each row and column of a matrix begins with its name.
std::string grid_text(const Grid& grid, const std::vector<std::string>& names = {});

// One line a value: grid, one column for each axis that any grid has (empty where this one has not), value. Tokens are
// numbered by their `positions` (L).
std::string grids_csv(const std::vector<Grid>& grids, const std::vector<std::int64_t>& positions);

// Nested arrays as deep as the grid has axes; minus infinity is null. A grid of buckets has integers.
nlohmann::ordered_json grid_json(const Grid& grid);

}  // namespace posenc
