// Figures with a row an encoding: the outcomes of the seeds, and success rates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/panels.h"

namespace posenc {
namespace {

constexpr double kRow = 26;

// One row a series, the first at the top.
Axis rows_of(const Panel& panel) {
  const auto count = static_cast<double>(panel.series.size());
  Axis axis{.label = "", .low = -0.5, .high = count - 0.5};
  for (std::size_t i = 0; i < panel.series.size(); ++i)
    axis.ticks.emplace_back(count - 1 - static_cast<double>(i), panel.series[i].name);
  return axis;
}

double row(const Panel& panel, std::size_t i) { return static_cast<double>(panel.series.size() - 1 - i); }

double height_of(const Panel& panel) { return kRow * std::max<double>(2, static_cast<double>(panel.series.size())); }

std::string captioned(const Panel& panel, const std::string& words) {
  return fmt::format("{}{} ({}).", panel.setting.empty() ? "" : panel.setting + ". ", words, counts_text(panel));
}

}  // namespace

FigureGroup strips(const std::vector<Panel>& panels, const Metric& metric) {
  FigureGroup group{fmt::format("Outcomes of the seeds: {}", metric.title), {}, ""};
  for (const Panel& panel : panels) {
    double low = 1e300, high = -1e300;
    for (const Series& series : panel.series)
      for (const double value : series.report->values) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    if (low > high) continue;
    const std::map<double, std::string> levels = metric.bounded ? levels_of(panel) : std::map<double, std::string>();
    for (const auto& [value, words] : levels) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const double margin = high > low ? 0.04 * (high - low) : std::max(0.01, std::abs(high) * 0.05);
    Chart chart(panel.setting.empty() ? "Outcomes of the seeds" : panel.setting,
                {.label = metric.title, .low = low - margin, .high = high + margin}, rows_of(panel), height_of(panel));
    std::string said;
    for (const auto& [value, words] : levels) {
      chart.upright_level(value, words);
      said += fmt::format("{}{}", said.empty() ? "; dotted: " : ", ", words);
    }
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series& series = panel.series[i];
      std::size_t place = 0;
      for (const RunRecord* record : series.group->runs) {
        const auto value = metric.of(*record);
        if (!value) continue;
        // Spread over the row in turn, so that equal outcomes show as many.
        const double offset = 0.12 * (static_cast<double>(place++ % 5) - 2);
        chart.dot({*value, row(panel, i) + offset}, series.style,
                  fmt::format("{}, seed {}: {:.{}f}", series.name, record->config.seed, *value, metric.digits));
      }
      chart.mark({series.report->summary.median, row(panel, i)}, series.style,
                 fmt::format("{}, median {:.{}f}", series.name, series.report->summary.median, metric.digits));
    }
    group.figures.push_back({fmt::format("outcomes-{}", group.figures.size() + 1),
                             captioned(panel, "A dot is a seed, the upright mark the median" + said),
                             chart.document()});
  }
  return group;
}

FigureGroup success_rates(const std::vector<Panel>& panels) {
  FigureGroup group{fmt::format("Share of runs that reach {}", kSuccess), {}, ""};
  for (const Panel& panel : panels) {
    Chart chart(panel.setting.empty() ? group.title : panel.setting,
                {.label = "share of runs", .low = -0.03, .high = 1.03}, rows_of(panel), height_of(panel));
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series& series = panel.series[i];
      if (series.report->success.interval)
        chart.whisker(row(panel, i), series.report->success.interval->lower, series.report->success.interval->upper,
                      series.style);
      chart.dot({series.report->success.value, row(panel, i)}, series.style,
                fmt::format("{}: {} of {}", series.name, series.report->successes, series.report->runs));
    }
    group.figures.push_back({fmt::format("success-{}", group.figures.size() + 1),
                             captioned(panel, "Whiskers: Wilson's 95 % interval"), chart.document()});
  }
  return group;
}

}  // namespace posenc
