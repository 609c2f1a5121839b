// An encoding's numbers as a figure: one panel for each matrix, as its paper would show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "posenc/grid.h"

namespace posenc {

// An SVG file. Rows run downwards (positions or queries) and columns to the right (dimensions or keys). Colours run
// from blue over white to red where values have both signs, else from white to blue; the same scale for all panels of a
// grid, written beside it. A cell of attention that never happens is grey. Rows and columns beyond 256 are thinned,
// which the figure then says. Tokens are numbered by their `positions` (L), or, where there are `names` for them (L)
// and room, named at every row and column.
std::string heat_map_svg(const std::vector<Grid>& grids, const std::vector<std::int64_t>& positions,
                         std::string_view title, const std::vector<std::string>& names = {});

}  // namespace posenc
