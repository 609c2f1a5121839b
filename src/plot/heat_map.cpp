#include "plot/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "plot/svg.h"

namespace posenc {
namespace {

constexpr std::int64_t kMostCells = 256;  // along a side
constexpr double kLeft = 60, kTop = 40, kGap = 24, kSide = 256, kScale = 110, kBelow = 44, kTitle = 34;
constexpr int kLevels = 41;  // shades on each side of zero

using Colour = std::array<double, 3>;
constexpr Colour kWhite = {247, 247, 247}, kBlue = {0, 114, 178}, kRed = {213, 94, 0};  // Okabe and Ito
constexpr const char* kNever = "#9a9a9a";

std::string blend(const Colour& from, const Colour& to, double share) {
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i)
    text += fmt::format("{:02x}", static_cast<int>(std::lround(from[i] + (to[i] - from[i]) * share)));
  return text;
}

// From values to a level -kLevels..kLevels, and from there to a colour.
class ColourScale {
 public:
  explicit ColourScale(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      least_ = std::min(least_, value);
      greatest_ = std::max(greatest_, value);
    }
    if (least_ > greatest_) least_ = greatest_ = 0;
    both_ = least_ < 0 && greatest_ > 0;
  }

  double low() const { return both_ ? -extent() : least_; }
  double high() const { return both_ ? extent() : greatest_; }

  int level(double value) const {
    if (high() <= low()) return 0;
    const double share = (value - low()) / (high() - low());  // 0..1
    return static_cast<int>(std::lround(both_ ? (2 * share - 1) * kLevels : share * kLevels));
  }

  // Of one sign: the far end is dark, whichever sign it has.
  std::string colour(int level) const {
    const double share = std::abs(level) / static_cast<double>(kLevels);
    if (both_) return blend(kWhite, level < 0 ? kBlue : kRed, share);
    return greatest_ <= 0 && least_ < 0 ? blend(kBlue, kWhite, share) : blend(kWhite, kRed, share);
  }

  int lowest() const { return both_ ? -kLevels : 0; }

 private:
  double extent() const { return std::max(-least_, greatest_); }

  double least_ = std::numeric_limits<double>::infinity(), greatest_ = -std::numeric_limits<double>::infinity();
  bool both_ = false;
};

struct MapPanel {
  std::int64_t rows, columns, row_step, column_step;
  double cell;  // side of a cell, pixels
  double width() const { return cell * static_cast<double>((columns + column_step - 1) / column_step); }
  double height() const { return cell * static_cast<double>((rows + row_step - 1) / row_step); }
};

MapPanel panel_of(const Grid& grid) {
  MapPanel panel{grid.shape[grid.shape.size() - 2], grid.shape.back(), 1, 1, 1};
  panel.row_step = (panel.rows + kMostCells - 1) / kMostCells;
  panel.column_step = (panel.columns + kMostCells - 1) / kMostCells;
  const std::int64_t most = std::max((panel.rows + panel.row_step - 1) / panel.row_step,
                                     (panel.columns + panel.column_step - 1) / panel.column_step);
  panel.cell = kSide / static_cast<double>(most);
  return panel;
}

// One path a colour, made of horizontal runs.
void draw_cells(Svg& svg, const double* values, const MapPanel& panel, const ColourScale& scale, double left,
                double top) {
  constexpr int kNeverLevel = kLevels + 1;
  std::map<int, std::string> paths;
  for (std::int64_t i = 0; i < panel.rows; i += panel.row_step) {
    int run = 0, length = 0;
    std::int64_t begin = 0;
    const auto flush = [&] {
      if (length > 0)
        paths[run] += fmt::format("M{} {}h{}", begin, static_cast<double>(i / panel.row_step) + 0.5, length);
    };
    for (std::int64_t j = 0; j < panel.columns; j += panel.column_step) {
      const double value = values[i * panel.columns + j];
      const int level = std::isfinite(value) ? scale.level(value) : kNeverLevel;
      if (length == 0 || level != run) {
        flush();
        run = level;
        length = 0;
        begin = j / panel.column_step;
      }
      ++length;
    }
    flush();
  }
  svg.add(
      R"svg(<g transform="translate({:.2f} {:.2f}) scale({:.5f})" stroke-width="1.02" shape-rendering="crispEdges">)svg",
      left, top, panel.cell);
  for (const auto& [level, path] : paths)
    svg.add(R"(<path stroke="{}" d="{}"/>)", level == kNeverLevel ? kNever : scale.colour(level), path);
  svg.add("</g>");
  svg.add(R"(<rect class="frame" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)", left, top, panel.width(),
          panel.height());
}

// A bar of all shades with the numbers at its ends.
void draw_scale(Svg& svg, const ColourScale& scale, double left, double top, double height) {
  const int steps = kLevels - scale.lowest();
  for (int i = 0; i <= steps; ++i) {
    const double step = height / (steps + 1);
    svg.add(R"(<rect x="{:.1f}" y="{:.2f}" width="14" height="{:.2f}" fill="{}"/>)", left,
            top + height - (i + 1) * step, step + 0.3, scale.colour(scale.lowest() + i));
  }
  svg.text(left + 20, top + 10, fmt::format("{:.3g}", scale.high()));
  svg.text(left + 20, top + height, fmt::format("{:.3g}", scale.low()));
}

// Whether there is a name for each row and column, and room for them.
bool can_name(const std::vector<std::string>& names, const MapPanel& panel) {
  constexpr double kLetter = 7;
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return !names.empty() && static_cast<std::int64_t>(names.size()) == panel.rows && panel.rows == panel.columns &&
         panel.cell >= 11 && panel.cell >= kLetter * static_cast<double>(longest);
}

std::string thinned(const MapPanel& panel) {
  if (panel.row_step == 1 && panel.column_step == 1) return "";
  return fmt::format(" (every {}th row and every {}th column)", panel.row_step, panel.column_step);
}

}  // namespace

std::string heat_map_svg(const std::vector<Grid>& grids, const std::vector<std::int64_t>& positions,
                         std::string_view title, const std::vector<std::string>& names) {
  Svg svg;
  double top = kTitle, widest = 320;
  svg.text(kLeft, 22, title);
  for (const Grid& grid : grids) {
    const MapPanel panel = panel_of(grid);
    const ColourScale scale(grid.values);
    const std::int64_t size = panel.rows * panel.columns;
    const std::int64_t count = size == 0 ? 0 : static_cast<std::int64_t>(grid.values.size()) / size;
    constexpr std::int64_t kPanelsAcross = 4;
    svg.text(kLeft, top + 20, grid.name + (grid.unit.empty() ? "" : " in " + grid.unit) + thinned(panel));
    const double first_top = top + kTop;
    for (std::int64_t matrix = 0; matrix < count; ++matrix) {
      const double left = kLeft + static_cast<double>(matrix % kPanelsAcross) * (panel.width() + kGap);
      const double panel_top =
          first_top + static_cast<double>(matrix / kPanelsAcross) * (panel.height() + kBelow + kGap);
      draw_cells(svg, grid.values.data() + matrix * size, panel, scale, left, panel_top);
      const std::string& across = grid.axes.back();
      const auto ends = [&](const std::string& axis, std::int64_t size_of_axis) {
        return Grid::is_of_positions(axis) ? std::pair(positions.front(), positions.back())
                                           : std::pair(std::int64_t{0}, size_of_axis - 1);
      };
      const auto [left_end, right_end] = ends(across, panel.columns);
      const std::string columns = fmt::format("{} {}..{}", across, left_end, right_end);
      const bool named = can_name(names, panel);
      const std::string of_matrix = grid.shape.size() == 3 ? fmt::format("{} {}", grid.axes.front(), matrix) : "";
      if (named) {
        for (std::size_t i = 0; i < names.size(); ++i) {
          const double middle = (static_cast<double>(i) + 0.5) * panel.cell;
          svg.text(left + middle, panel_top + panel.height() + 15, names[i], "middle");
          if (matrix % kPanelsAcross == 0) svg.text(left - 6, panel_top + middle + 4, names[i], "end");
        }
        svg.text(left, panel_top + panel.height() + 32,
                 fmt::format("{}{}{} across", of_matrix, of_matrix.empty() ? "" : ": ", across));
        continue;
      }
      svg.text(left, panel_top + panel.height() + 16, of_matrix.empty() ? columns : of_matrix);
      if (!of_matrix.empty() && matrix == 0) svg.text(left, panel_top + panel.height() + 32, columns);
      if (matrix % kPanelsAcross == 0) {
        const auto [first, last] = ends(grid.axes[grid.axes.size() - 2], panel.rows);
        svg.text(left - 6, panel_top + 10, fmt::to_string(first), "end");
        svg.text(left - 6, panel_top + panel.height() / 2, grid.axes[grid.axes.size() - 2], "end");
        svg.text(left - 6, panel_top + panel.height(), fmt::to_string(last), "end");
      }
    }
    const auto across = static_cast<double>(std::min(count, kPanelsAcross));
    const double right = kLeft + across * panel.width() + (across - 1) * kGap;
    draw_scale(svg, scale, right + 16, first_top, panel.height());
    widest = std::max(widest, right + kScale);
    const auto down = static_cast<double>((count + kPanelsAcross - 1) / kPanelsAcross);
    top = first_top + down * (panel.height() + kBelow) + (down - 1) * kGap;
  }
  return svg.document(widest, top + 8, title);
}

}  // namespace posenc
