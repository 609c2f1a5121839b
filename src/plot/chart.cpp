#include "plot/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

constexpr double kWidth = 420, kRight = 14, kTopMargin = 34, kBottom = 44, kLegendLine = 18;
constexpr double kLeast = 58, kMost = 170;  // room at the left
constexpr std::size_t kColours = 7;

// Okabe and Ito 2008, without yellow, which is too light on white; black turns with the page.
constexpr const char* kStyle = R"(.s { fill: none; stroke-width: 2; stroke-linejoin: round; }
.t { fill: none; stroke-width: 1; opacity: .28; }
.b { stroke: none; opacity: .16; }
.w { fill: none; stroke-width: 1.5; }
.d { stroke: none; opacity: .75; }
.dash { stroke-dasharray: 6 3; }
.level { stroke: #777; stroke-dasharray: 2 3; fill: none; }
.grid { stroke: #8884; fill: none; }
.shade { fill: #8883; stroke: none; }
.c0 { stroke: #0072b2; } .f0 { fill: #0072b2; } .c1 { stroke: #d55e00; } .f1 { fill: #d55e00; }
.c2 { stroke: #009e73; } .f2 { fill: #009e73; } .c3 { stroke: #cc79a7; } .f3 { fill: #cc79a7; }
.c4 { stroke: #56b4e9; } .f4 { fill: #56b4e9; } .c5 { stroke: #e69f00; } .f5 { fill: #e69f00; }
.c6 { stroke: #222; } .f6 { fill: #222; }
@media (prefers-color-scheme: dark) { .c6 { stroke: #ddd; } .f6 { fill: #ddd; } })";

std::string line_class(Style style) {
  return fmt::format("c{}{}", style.series % kColours, style.series / kColours % 2 == 1 ? " dash" : "");
}
std::string fill_class(Style style) { return fmt::format("f{}", style.series % kColours); }

std::string tick_text(double value) { return value == 0 ? "0" : fmt::format("{:.4g}", value); }

std::vector<std::pair<double, std::string>> ticks_of(const Axis& axis) {
  if (!axis.ticks.empty()) return axis.ticks;
  std::vector<std::pair<double, std::string>> ticks;
  if (axis.logarithmic) {
    for (double decade = std::pow(10, std::floor(std::log10(axis.low))); decade <= axis.high * 1.0001; decade *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        if (const double value = decade * factor; value >= axis.low * 0.9999 && value <= axis.high * 1.0001)
          if (factor == 1 || axis.high / axis.low < 200) ticks.emplace_back(value, tick_text(value));
  } else {
    for (const double value : nice_ticks(axis.low, axis.high)) ticks.emplace_back(value, tick_text(value));
  }
  return ticks;
}

double share(const Axis& axis, double value) {
  if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
  return (value - axis.low) / (axis.high - axis.low);
}

}  // namespace

std::vector<double> nice_ticks(double low, double high) {
  const double rough = (high - low) / 6, power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step < rough) step = power * factor;
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + step * 1e-9; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 1) + "\u2026";
}

Chart::Chart(std::string title, Axis across, Axis up, double plot_height)
    : title_(std::move(title)),
      across_(std::move(across)),
      up_(std::move(up)),
      left_(kLeast),
      plot_height_(plot_height) {
  for (auto& [value, words] : up_.ticks) {
    words = shortened(words, 22);
    left_ = std::clamp(24 + kLetterWidth * static_cast<double>(words.size()), left_, kMost);
  }
  for (Axis* axis : {&across_, &up_})
    if (!(axis->high > axis->low)) axis->high = axis->low + (axis->logarithmic ? axis->low : 1);
}

double Chart::plot_width() const { return kWidth - left_ - kRight; }
double Chart::at_x(double x) const { return share(across_, x) * plot_width(); }
double Chart::at_y(double y) const { return (1 - share(up_, y)) * plot_height_; }

std::string Chart::path(const std::vector<Point>& points) const {
  std::string text;
  for (const Point& point : points)
    if (std::isfinite(point.x) && std::isfinite(point.y))
      text += fmt::format("{}{:.1f} {:.1f}", text.empty() ? "M" : " L", at_x(point.x), at_y(point.y));
  return text;
}

void Chart::line(const std::vector<Point>& points, Style style, const std::string& tooltip) {
  marks_.add(R"(<path class="s {}" d="{}"><title>{}</title></path>)", line_class(style), path(points),
             escape_xml(tooltip));
}

void Chart::thin_line(const std::vector<Point>& points, Style style, const std::string& tooltip) {
  marks_.add(R"(<path class="t {}" d="{}"><title>{}</title></path>)", line_class(style), path(points),
             escape_xml(tooltip));
}

void Chart::band(const std::vector<Point>& lower, const std::vector<Point>& upper, Style style) {
  if (lower.size() < 2) return;
  std::vector<Point> around = upper;
  around.insert(around.end(), lower.rbegin(), lower.rend());
  marks_.add(R"(<path class="b {}" d="{} Z"/>)", fill_class(style), path(around));
}

void Chart::dot(const Point& point, Style style, const std::string& tooltip) {
  if (!std::isfinite(point.x) || !std::isfinite(point.y)) return;
  marks_.add(R"(<circle class="d {}" cx="{:.1f}" cy="{:.1f}" r="3.5"><title>{}</title></circle>)", fill_class(style),
             at_x(point.x), at_y(point.y), escape_xml(tooltip));
}

void Chart::whisker(double y, double low, double high, Style style) {
  constexpr double kMark = 4;
  const double at = at_y(y), from = at_x(low), to = at_x(high);
  marks_.add(R"(<path class="w {}" d="M{:.1f} {:.1f}v{:.1f} M{:.1f} {:.1f}H{:.1f} M{:.1f} {:.1f}v{:.1f}"/>)",
             line_class(style), from, at - kMark, 2 * kMark, from, at, to, to, at - kMark, 2 * kMark);
}

void Chart::mark(const Point& point, Style style, const std::string& tooltip) {
  constexpr double kMark = 8;
  if (!std::isfinite(point.x)) return;
  marks_.add(R"(<path class="s {}" d="M{:.1f} {:.1f}v{:.1f}"><title>{}</title></path>)", line_class(style),
             at_x(point.x), at_y(point.y) - kMark, 2 * kMark, escape_xml(tooltip));
}

void Chart::level_line(const std::vector<Point>& points, const std::string& tooltip) {
  marks_.add(R"(<path class="level" d="{}"><title>{}</title></path>)", path(points), escape_xml(tooltip));
}

void Chart::shade(double low, double high) {
  const double from = std::clamp(at_x(std::max(low, across_.low)), 0.0, plot_width());
  const double to = std::clamp(at_x(std::min(high, across_.high)), from, plot_width());
  marks_.add(R"(<rect class="shade" x="{:.1f}" y="0" width="{:.1f}" height="{:.1f}"/>)", from, std::max(2.0, to - from),
             plot_height_);
}

void Chart::level(double y, const std::string& words) {
  if (y >= up_.low && y <= up_.high) levels_.emplace_back(y, words);
}

void Chart::upright_level(double x, const std::string& words) {
  if (x >= across_.low && x <= across_.high) upright_levels_.emplace_back(x, words);
}

void Chart::legend(const std::string& name, Style style) { legend_.emplace_back(name, style); }

std::string Chart::document() const {
  Svg svg;
  svg.text(12, 20, shortened(title_, 58));
  const double bottom = kTopMargin + plot_height_;
  for (const auto& [value, words] : ticks_of(up_)) {
    const double y = kTopMargin + at_y(value);
    svg.add(R"(<path class="grid" d="M{:.1f} {:.1f}h{:.1f}"/>)", left_, y, plot_width());
    svg.text(left_ - 6, y + 4, words, "end");
  }
  double free_from = -1e9;  // where the last tick's words end
  for (const auto& [value, words] : ticks_of(across_)) {
    const double x = left_ + at_x(value), half = kLetterWidth * static_cast<double>(words.size()) / 2;
    svg.add(R"(<path class="frame" d="M{:.1f} {:.1f}v4"/>)", x, bottom);
    if (x - half < free_from || x + half > kWidth) continue;
    svg.text(x, bottom + 17, words, "middle");
    free_from = x + half + 4;
  }
  svg.text(left_ + plot_width() / 2, bottom + 35, across_.label, "middle");
  if (!up_.label.empty())
    svg.add(R"svg(<text x="14" y="{0:.1f}" text-anchor="middle" transform="rotate(-90 14 {0:.1f})">{1}</text>)svg",
            kTopMargin + plot_height_ / 2, escape_xml(up_.label));

  svg.add(R"(<svg x="{}" y="{}" width="{}" height="{}">)", left_, kTopMargin, plot_width(), plot_height_);
  svg.add("{}</svg>", marks_.body());
  svg.add(R"(<rect class="frame" x="{}" y="{}" width="{}" height="{}"/>)", left_, kTopMargin, plot_width(),
          plot_height_);
  bool left = false;  // words of two levels that are close do not meet
  for (const auto& [value, words] : levels_) {
    const double y = kTopMargin + at_y(value);
    svg.add(R"(<path class="level" d="M{:.1f} {:.1f}h{:.1f}"/>)", left_, y, plot_width());
    svg.text(left ? left_ + 5 : left_ + plot_width() - 5, y < kTopMargin + 16 ? y + 13 : y - 4, words,
             left ? "start" : "end");
    left = !left;
  }

  for (const auto& [value, words] : upright_levels_) {
    const double at = left_ + at_x(value);
    svg.add(R"(<path class="level" d="M{:.1f} {:.1f}v{:.1f}"><title>{}</title></path>)", at, kTopMargin, plot_height_,
            escape_xml(words));
  }

  double x = left_, y = bottom + kBottom + 14;
  for (const auto& [name, style] : legend_) {
    const std::string words = shortened(name, 46);
    const double width = 30 + kLetterWidth * static_cast<double>(words.size()) + 12;
    if (x > left_ && x + width > kWidth) {
      x = left_;
      y += kLegendLine;
    }
    svg.add(R"(<path class="s {}" d="M{:.1f} {:.1f}h22"/>)", line_class(style), x, y - 4);
    svg.add(R"(<text x="{:.1f}" y="{:.1f}">{}<title>{}</title></text>)", x + 28, y, escape_xml(words),
            escape_xml(name));
    x += width;
  }
  return svg.document(kWidth, legend_.empty() ? bottom + kBottom : y + 10, title_, kStyle);
}

}  // namespace posenc
