// One panel of a figure: axes with a grid, lines, bands and points, and a legend, as an SVG that stands for itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/svg.h"

namespace posenc {

struct Axis {
  std::string label;  // with its unit
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;  // none: chosen
};

struct Point {
  double x, y;
};

// Of a series by its place among all series of a report, so that one encoding looks the same in every figure: seven
// colours of Okabe and Ito, then the same dashed.
struct Style {
  std::size_t series = 0;
};

inline constexpr double kLetterWidth = 6.6;  // of a letter of 12 pixels, on the wide side

class Chart {
 public:
  // `title` stands above the panel and is its accessible name. Words at the vertical ticks get the room they need.
  Chart(std::string title, Axis across, Axis up, double plot_height = 210);

  void line(const std::vector<Point>& points, Style style, const std::string& tooltip);
  void thin_line(const std::vector<Point>& points, Style style, const std::string& tooltip);
  // Between `lower` and `upper`, which have the same x.
  void band(const std::vector<Point>& lower, const std::vector<Point>& upper, Style style);
  void dot(const Point& point, Style style, const std::string& tooltip);
  // From x = `low` to `high` at y, with end marks.
  void whisker(double y, double low, double high, Style style);
  // A mark across a strip: upright, at (x, y).
  void mark(const Point& point, Style style, const std::string& tooltip);
  // A dashed line in grey, such as a ceiling that falls with the length.
  void level_line(const std::vector<Point>& points, const std::string& tooltip);
  // Grey from x = `low` to `high`, at least a line wide.
  void shade(double low, double high);
  // Across the panel at y, dashed, in grey, with words at its right end.
  void level(double y, const std::string& words);
  // Upright at x, with words at its foot.
  void upright_level(double x, const std::string& words);
  void legend(const std::string& name, Style style);

  // The file. Points outside the axes are clipped.
  std::string document() const;

 private:
  double plot_width() const;
  double at_x(double x) const;
  double at_y(double y) const;
  std::string path(const std::vector<Point>& points) const;

  std::string title_;
  Axis across_, up_;
  double left_, plot_height_;
  Svg marks_;
  std::vector<std::pair<std::string, Style>> legend_;
  std::vector<std::pair<double, std::string>> levels_, upright_levels_;
};

// Round numbers from `low` to `high`, about six of them.
std::vector<double> nice_ticks(double low, double high);

// At most `most` characters of `text`, the last a dot dot dot where some are left out.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace posenc
