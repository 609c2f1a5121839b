#include "plot/grid_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"

namespace posenc {
namespace {

// Whether all values are integers, as buckets are. Infinity and great floats have no fraction either.
bool is_whole(const Grid& grid) {
  return std::all_of(grid.values.begin(), grid.values.end(),
                     [](double v) { return std::abs(v) <= 0x1p53 && v == std::floor(v); });
}

std::string heading(const Grid& grid) {
  std::string text = grid.name;
  if (!grid.unit.empty()) text += " in " + grid.unit;
  std::vector<std::string> axes;
  for (std::size_t i = 0; i < grid.axes.size(); ++i) axes.push_back(fmt::format("{} {}", grid.shape[i], grid.axes[i]));
  return fmt::format("{}: {}\n", text, fmt::join(axes, " x "));
}

nlohmann::ordered_json nested(const Grid& grid, std::size_t axis, std::size_t& next, bool whole) {
  if (axis == grid.shape.size()) {
    const double value = grid.values[next++];
    return whole ? nlohmann::ordered_json(static_cast<std::int64_t>(value)) : json_number(value);
  }
  auto array = nlohmann::ordered_json::array();
  for (std::int64_t i = 0; i < grid.shape[axis]; ++i) array.push_back(nested(grid, axis + 1, next, whole));
  return array;
}

}  // namespace

std::string grid_text(const Grid& grid, const std::vector<std::string>& names) {
  const bool whole = is_whole(grid);
  const std::int64_t columns = grid.shape.back(), rows = grid.shape[grid.shape.size() - 2];
  std::vector<std::string> numbers;
  std::size_t width = 0;
  for (const double value : grid.values) {
    numbers.push_back(whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value));
    width = std::max(width, numbers.back().size());
  }
  std::size_t name_width = 0;
  for (const std::string& name : names) name_width = std::max(name_width, name.size());
  width = std::max(width, name_width);
  std::string text = heading(grid);
  std::size_t next = 0;
  for (std::int64_t matrix = 0; next < numbers.size(); ++matrix) {
    if (grid.shape.size() == 3) text += fmt::format("{} {}\n", grid.axes.front(), matrix);
    if (!names.empty()) {
      text += std::string(name_width + 1, ' ');
      for (const std::string& name : names) text += fmt::format(" {:>{}}", name, width);
      text += "\n";
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      if (!names.empty()) text += fmt::format("{:>{}}  ", names[static_cast<std::size_t>(row)], name_width);
      for (std::int64_t column = 0; column < columns; ++column)
        text += fmt::format("{}{:>{}}", column == 0 ? "" : " ", numbers[next++], width);
      text += "\n";
    }
  }
  return text;
}

std::string grids_csv(const std::vector<Grid>& grids, const std::vector<std::int64_t>& positions) {
  std::vector<std::string> axes;
  for (const Grid& grid : grids)
    for (const std::string& axis : grid.axes)
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  std::string text = fmt::format("grid,{},value\n", fmt::join(axes, ","));
  for (const Grid& grid : grids) {
    for (std::size_t place = 0; place < grid.values.size(); ++place) {
      // The place along each axis, the last running fastest.
      std::vector<std::int64_t> along(grid.shape.size());
      std::size_t rest = place;
      for (std::size_t axis = grid.shape.size(); axis-- > 0;) {
        along[axis] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(grid.shape[axis]));
        rest /= static_cast<std::size_t>(grid.shape[axis]);
      }
      text += grid.name;
      for (const std::string& axis : axes) {
        const auto own = std::find(grid.axes.begin(), grid.axes.end(), axis);
        text += ",";
        if (own == grid.axes.end()) continue;
        const std::int64_t at = along[static_cast<std::size_t>(own - grid.axes.begin())];
        text += fmt::to_string(Grid::is_of_positions(axis) ? positions[static_cast<std::size_t>(at)] : at);
      }
      text += fmt::format(",{}\n", grid.values[place]);
    }
  }
  return text;
}

nlohmann::ordered_json grid_json(const Grid& grid) {
  std::size_t next = 0;
  return nested(grid, 0, next, is_whole(grid) && grid.name == "buckets");
}

}  // namespace posenc
