// Tests of trained models against the length: accuracy, cross-entropy and calibration, the trained lengths shaded.
#include <fmt/format.h>

#include <algorithm>

#include "report/figures/panels.h"
#include "statistics/order_interval.h"

namespace posenc {
namespace {

struct Tested {
  const char* name;
  const char* title;
  const char* up;
  double LengthResult::*member;
  bool accuracy;
};

std::vector<Point> ceilings_of(const TestedLengths& tested) {
  std::vector<Point> points;
  for (const LengthSummary& each : tested.at)
    if (each.ceiling && *each.ceiling < 1) points.push_back({static_cast<double>(each.length), *each.ceiling});
  return points;
}

}  // namespace

std::vector<FigureGroup> tested_lengths(const std::vector<Panel>& panels) {
  constexpr Tested kAll[] = {
      {"tested-accuracy", "Accuracy at tested lengths", "accuracy", &LengthResult::accuracy, true},
      {"tested-cross-entropy", "Cross-entropy at tested lengths", "cross-entropy, nats", &LengthResult::cross_entropy,
       false},
      {"tested-calibration", "Calibration error at tested lengths", "expected calibration error",
       &LengthResult::calibration_error, false},
  };
  std::vector<FigureGroup> groups;
  for (const Tested& tested : kAll) {
    FigureGroup group{tested.title, {}, ""};
    for (const Panel& panel : panels) {
      double shortest = 1e300, longest = 0, high = 0;
      for (const Series& series : panel.series)
        for (const auto& [length, values] : by_length(*series.group, tested.member)) {
          shortest = std::min(shortest, static_cast<double>(length));
          longest = std::max(longest, static_cast<double>(length));
          high = std::max(high, *std::max_element(values.begin(), values.end()));
        }
      if (longest <= shortest) continue;
      Chart chart(panel.setting.empty() ? tested.title : panel.setting,
                  {.label = longest > 8 * shortest ? "tested length, tokens (logarithmic)" : "tested length, tokens",
                   .low = shortest,
                   .high = longest,
                   .logarithmic = longest > 8 * shortest},
                  {.label = tested.up, .low = tested.accuracy ? 0.4 : 0, .high = tested.accuracy ? 1.02 : high * 1.05});
      const RunRecord& first = *panel.series.front().group->runs.front();
      const std::vector<std::int64_t> trained = trained_on(first.config, first.result.steps_at);
      chart.shade(static_cast<double>(trained.front()), static_cast<double>(trained.back()));
      for (const Series& series : panel.series) {
        std::vector<Point> median, lower, upper;
        for (const auto& [length, values] : by_length(*series.group, tested.member)) {
          const Estimate estimate = median_order_interval(values);
          const auto x = static_cast<double>(length);
          median.push_back({x, estimate.value});
          if (!estimate.interval) continue;
          lower.push_back({x, estimate.interval->lower});
          upper.push_back({x, estimate.interval->upper});
        }
        if (median.empty()) continue;
        chart.band(lower, upper, series.style);
        if (const auto ceiling = ceilings_of(series.report->tested); tested.accuracy && ceiling.size() > 1)
          chart.level_line(ceiling, fmt::format("ceiling of {}", series.name));
        chart.line(median, series.style, fmt::format("{}, median of {} runs", series.name, series.report->runs));
        // Between two tested lengths the line is only drawn.
        constexpr std::size_t kMostDots = 40;
        for (const Point& point : median)
          if (median.size() <= kMostDots)
            chart.dot(point, series.style, fmt::format("{} at {}: {:.3f}", series.name, point.x, point.y));
        chart.legend(series.name, series.style);
      }
      group.figures.push_back({fmt::format("{}-{}", tested.name, group.figures.size() + 1),
                               fmt::format("{}Median over seeds ({}), {}; shaded: trained lengths{}.",
                                           panel.setting.empty() ? "" : panel.setting + ". ", counts_text(panel),
                                           kBandText, tested.accuracy ? "; dashed grey: ceilings" : ""),
                               chart.document()});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace posenc
