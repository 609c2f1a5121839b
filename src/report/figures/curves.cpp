// Curves over the epochs of training: accuracy, loss, and loss against seconds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "report/figures/panels.h"
#include "statistics/order_interval.h"

namespace posenc {
namespace {

constexpr std::size_t kMostThin = 20, kMostPoints = 200;

struct Curves {
  const char* name;
  const char* title;
  const char* up;
  double EpochResult::*member;
};

// The median over a group's runs at every epoch, with its interval where there is one.
struct Medians {
  std::vector<Point> median, lower, upper;
};

Medians medians_of(const Group& group, double EpochResult::*member, double seconds_an_epoch) {
  std::map<std::int64_t, std::vector<double>> by_epoch;
  for (const RunRecord* record : group.runs)
    for (const EpochResult& epoch : record->result.epochs)
      if (std::isfinite(epoch.*member)) by_epoch[epoch.epoch].push_back(epoch.*member);
  const std::size_t every = by_epoch.size() / kMostPoints + 1;
  Medians all;
  std::size_t i = 0;
  for (const auto& [epoch, values] : by_epoch) {
    if (i++ % every != 0 && i != by_epoch.size()) continue;
    const double x = static_cast<double>(epoch) * seconds_an_epoch;
    const Estimate estimate = median_order_interval(values);
    all.median.push_back({x, estimate.value});
    if (!estimate.interval) continue;
    all.lower.push_back({x, estimate.interval->lower});
    all.upper.push_back({x, estimate.interval->upper});
  }
  return all;
}

std::vector<Point> points_of(const RunRecord& record, double EpochResult::*member) {
  const auto& epochs = record.result.epochs;
  const std::size_t every = epochs.size() / kMostPoints + 1;
  std::vector<Point> points;
  for (std::size_t i = 0; i < epochs.size(); ++i)
    if (i % every == 0 || i + 1 == epochs.size())
      points.push_back({static_cast<double>(epochs[i].epoch), epochs[i].*member});
  return points;
}

struct Range {
  double low = 1e300, high = -1e300;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// What is drawn of every run and of the medians, across and up.
std::pair<Range, Range> ranges_of(const Panel& panel, double EpochResult::*member) {
  Range across, up;
  for (const Series& series : panel.series)
    for (const RunRecord* record : series.group->runs)
      for (const EpochResult& epoch : record->result.epochs) {
        across.add(static_cast<double>(epoch.epoch));
        up.add(epoch.*member);
      }
  return {across, up};
}

FigureGroup draw(const std::vector<Panel>& panels, const Curves& curves, bool accuracy) {
  FigureGroup group{curves.title, {}, ""};
  for (const Panel& panel : panels) {
    auto [across, up] = ranges_of(panel, curves.member);
    if (across.high <= across.low || up.high < up.low) continue;
    if (accuracy) {
      for (const Series& series : panel.series)
        if (series.report->bounds) up.add(series.report->bounds->majority - 0.03);
      up.low = std::floor(up.low * 20) / 20;
      up.high = 1.02;
    } else {
      up.low = 0;
      up.high *= 1.05;
    }
    Chart chart(panel.setting.empty() ? curves.title : panel.setting,
                {.label = "epoch", .low = across.low, .high = across.high},
                {.label = curves.up, .low = up.low, .high = up.high});
    for (const Series& series : panel.series)
      for (std::size_t i = 0; i < std::min(kMostThin, series.group->runs.size()); ++i)
        chart.thin_line(points_of(*series.group->runs[i], curves.member), series.style,
                        fmt::format("{}, seed {}", series.name, series.group->runs[i]->config.seed));
    for (const Series& series : panel.series) {
      const Medians medians = medians_of(*series.group, curves.member, 1);
      chart.band(medians.lower, medians.upper, series.style);
      chart.line(medians.median, series.style, fmt::format("{}, median of {} runs", series.name, series.report->runs));
      chart.legend(series.name, series.style);
    }
    if (accuracy)
      for (const auto& [value, words] : levels_of(panel)) chart.level(value, words);
    group.figures.push_back(
        {fmt::format("{}-{}", curves.name, group.figures.size() + 1),
         fmt::format("{}Median over seeds ({}), {}; thin: single seeds{}.",
                     panel.setting.empty() ? "" : panel.setting + ". ", counts_text(panel), kBandText,
                     panel.series.front().report->runs > static_cast<std::int64_t>(kMostThin)
                         ? fmt::format(", the first {}", kMostThin)
                         : ""),
         chart.document()});
  }
  return group;
}

double median_seconds(const Group& group) {
  std::vector<double> seconds;
  for (const RunRecord* record : group.runs)
    if (record->result.status == RunResult::Status::finished) seconds.push_back(record->execution.seconds);
  return seconds.empty() ? 0 : summarize(seconds).median;
}

}  // namespace

FigureGroup accuracy_curves(const std::vector<Panel>& panels) {
  return draw(panels,
              {"accuracy-by-epoch", "Validation accuracy by epoch", "validation accuracy", &EpochResult::val_acc},
              /*accuracy=*/true);
}

FigureGroup loss_curves(const std::vector<Panel>& panels) {
  return draw(panels, {"loss-by-epoch", "Training loss by epoch", "training loss, nats", &EpochResult::train_loss},
              /*accuracy=*/false);
}

FigureGroup loss_over_seconds(const std::vector<Panel>& panels) {
  FigureGroup group{"Training loss by seconds", {}, ""};
  for (const Panel& panel : panels) {
    const Range up = ranges_of(panel, &EpochResult::train_loss).second;
    double longest = 0;
    std::vector<std::pair<const Series*, Medians>> lines;
    for (const Series& series : panel.series) {
      const std::int64_t epochs = series.group->runs.front()->config.epochs;
      const double seconds = median_seconds(*series.group);
      if (epochs < 2 || seconds == 0) continue;
      longest = std::max(longest, seconds);
      lines.emplace_back(&series,
                         medians_of(*series.group, &EpochResult::train_loss, seconds / static_cast<double>(epochs)));
    }
    if (lines.empty()) continue;
    Chart chart(panel.setting.empty() ? group.title : panel.setting,
                {.label = "seconds of one run", .low = 0, .high = longest},
                {.label = "training loss, nats", .low = 0, .high = up.high * 1.05});
    for (const auto& [series, medians] : lines) {
      chart.line(medians.median, series->style, series->name);
      chart.legend(series->name, series->style);
    }
    group.figures.push_back(
        {fmt::format("loss-by-seconds-{}", group.figures.size() + 1),
         fmt::format(
             "{}Median loss over seeds ({}) against the median run's seconds, shared out over its epochs alike.",
             panel.setting.empty() ? "" : panel.setting + ". ", counts_text(panel)),
         chart.document()});
  }
  return group;
}

}  // namespace posenc
