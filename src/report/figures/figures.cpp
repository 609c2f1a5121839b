#include "report/figures/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/figures/panels.h"

namespace posenc {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t column_of(const Grouping& grouping, const std::string& name) {
  for (std::size_t i = 0; i < grouping.columns.size(); ++i)
    if (grouping.columns[i]->name == name) return i;
  return kNone;
}

// Panels by the columns that are not in `inside`.
std::vector<Panel> panels_by(const Grouping& grouping, const Report& report, const std::vector<std::size_t>& inside) {
  const std::size_t pos = column_of(grouping, "pos");
  std::map<std::string, std::size_t> places;  // of the encodings, and so their colours
  std::map<std::string, std::size_t> panel_of;
  std::vector<Panel> panels;
  for (std::size_t g = 0; g < grouping.groups.size(); ++g) {
    const Group& group = grouping.groups[g];
    std::vector<std::pair<std::string, std::string>> outside;
    for (std::size_t c = 0; c < group.key.size(); ++c)
      if (std::find(inside.begin(), inside.end(), c) == inside.end())
        outside.emplace_back(grouping.columns[c]->name, group.key[c]);
    const std::string setting = setting_text(outside);
    const auto [place, is_new] = panel_of.try_emplace(setting, panels.size());
    if (is_new) panels.push_back({setting, {}});
    const std::string name = pos == kNone ? group.runs.front()->config.pos : group.key[pos];
    const std::size_t colour = places.try_emplace(name, places.size()).first->second;
    panels[place->second].series.push_back({name, {colour}, &group, &report.groups[g]});
  }
  return panels;
}

void cut(FigureGroup& group, std::size_t most) {
  if (group.figures.size() <= most) return;
  group.note = fmt::format("The first {} of {} settings are drawn.", most, group.figures.size());
  group.figures.resize(most);
}

}  // namespace

std::vector<Panel> panels_of(const Grouping& grouping, const Report& report) {
  return panels_by(grouping, report, {column_of(grouping, "pos")});
}

std::vector<Panel> panels_over_lengths(const Grouping& grouping, const Report& report) {
  const std::size_t length = column_of(grouping, "seq-len");
  if (length == kNone) return {};
  return panels_by(grouping, report, {column_of(grouping, "pos"), length});
}

std::string counts_text(const Panel& panel) {
  std::int64_t least = panel.series.front().report->runs, most = least;
  for (const Series& series : panel.series) {
    least = std::min(least, series.report->runs);
    most = std::max(most, series.report->runs);
  }
  return least == most ? fmt::format("n = {}", most) : fmt::format("n = {} to {}", least, most);
}

std::map<double, std::string> levels_of(const Panel& panel) {
  std::map<double, std::string> levels;
  for (const Series& series : panel.series) {
    if (!series.report->bounds) continue;
    const Bounds& bounds = *series.report->bounds;
    levels.try_emplace(bounds.majority, fmt::format("guessing {:.3g}", bounds.majority));
    if (bounds.ceiling && *bounds.ceiling < 1)
      levels.try_emplace(*bounds.ceiling,
                         fmt::format("ceiling of {} {:.4g}: {}", series.name, *bounds.ceiling, bounds.reason));
  }
  return levels;
}

std::vector<FigureGroup> report_figures(const Grouping& grouping, const Report& report, std::size_t most) {
  const std::vector<Panel> panels = panels_of(grouping, report);
  std::vector<FigureGroup> groups;
  if (const auto lengths = panels_over_lengths(grouping, report); !lengths.empty())
    groups.push_back(over_lengths(lengths, *report.metric));
  for (FigureGroup& tested : tested_lengths(panels)) groups.push_back(std::move(tested));
  groups.push_back(strips(panels, *report.metric));
  groups.push_back(success_rates(panels));
  groups.push_back(differences(report));
  groups.push_back(accuracy_curves(panels));
  groups.push_back(loss_curves(panels));
  groups.push_back(loss_over_seconds(panels));
  std::erase_if(groups, [](const FigureGroup& group) { return group.figures.empty(); });
  for (FigureGroup& group : groups) cut(group, most);
  return groups;
}

}  // namespace posenc
