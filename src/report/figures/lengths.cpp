// An outcome against the sequences' length, where a sweep varies it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/figures/panels.h"
#include "statistics/order_interval.h"

namespace posenc {

FigureGroup over_lengths(const std::vector<Panel>& panels, const Metric& metric) {
  FigureGroup group{fmt::format("By length: {}", metric.title), {}, ""};
  for (const Panel& panel : panels) {
    struct Line {
      Style style;
      std::vector<Point> median, lower, upper, ceiling;
    };
    std::map<std::size_t, std::pair<std::string, Line>> lines;  // by colour
    double shortest = 1e300, longest = 0, low = 1e300, high = -1e300;
    std::vector<std::pair<double, std::string>> ticks;
    for (const Series& series : panel.series) {
      const auto length = static_cast<double>(series.group->runs.front()->config.seq_len);
      if (series.report->values.empty()) continue;
      Line& line = lines[series.style.series].second;
      lines[series.style.series].first = series.name;
      line.style = series.style;
      const Estimate median = median_order_interval(series.report->values);
      line.median.push_back({length, median.value});
      low = std::min(low, median.value);
      high = std::max(high, median.value);
      if (median.interval) {
        line.lower.push_back({length, median.interval->lower});
        line.upper.push_back({length, median.interval->upper});
        low = std::min(low, median.interval->lower);
        high = std::max(high, median.interval->upper);
      }
      const auto& bounds = series.report->bounds;
      if (metric.bounded && bounds && bounds->ceiling && *bounds->ceiling < 1)
        line.ceiling.push_back({length, *bounds->ceiling});
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
      const std::pair tick(length, fmt::format("{:.0f}", length));
      if (std::find(ticks.begin(), ticks.end(), tick) == ticks.end()) ticks.push_back(tick);
    }
    if (ticks.size() < 2) continue;
    std::sort(ticks.begin(), ticks.end());
    const double margin = std::max(0.03 * (high - low), 1e-6);
    Chart chart(panel.setting.empty() ? group.title : panel.setting,
                {.label = "sequence length, tokens",
                 .low = shortest,
                 .high = longest,
                 .logarithmic = longest > 4 * shortest,
                 .ticks = ticks},
                {.label = metric.title,
                 .low = metric.bounded ? std::floor(low * 20) / 20 - 0.02 : low - margin,
                 .high = metric.bounded ? 1.02 : high + margin});
    for (const auto& [colour, named] : lines) {
      const auto& [name, line] = named;
      chart.band(line.lower, line.upper, line.style);
      if (line.ceiling.size() > 1) chart.level_line(line.ceiling, fmt::format("ceiling of {}", name));
      chart.line(line.median, line.style, fmt::format("{}, median", name));
      for (const Point& point : line.median)
        chart.dot(point, line.style,
                  fmt::format("{}, length {:.0f}: median {:.{}f}", name, point.x, point.y, metric.digits));
      chart.legend(name, line.style);
    }
    group.figures.push_back(
        {fmt::format("by-length-{}", group.figures.size() + 1),
         fmt::format("{}Median over seeds ({}), {}; dashed grey: ceilings.",
                     panel.setting.empty() ? "" : panel.setting + ". ", counts_text(panel), kBandText),
         chart.document()});
  }
  return group;
}

}  // namespace posenc
