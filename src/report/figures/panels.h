// What the figures of a report have in common: which encodings stand together in a panel, and their colours.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plot/chart.h"
#include "report/figures/figures.h"
#include "report/report.h"

namespace posenc {

struct Series {
  std::string name;  // the encoding
  Style style;
  const Group* group;
  const GroupReport* report;
};

struct Panel {
  std::string setting;  // "task=parity, seq-len=8"; "" where nothing but the encoding varies
  std::vector<Series> series;
};

// One panel a setting of the columns besides pos.
std::vector<Panel> panels_of(const Grouping& grouping, const Report& report);

// One panel a setting of the columns besides pos and seq-len, with one series for each pos and length, by length; empty
// where seq-len does not vary.
std::vector<Panel> panels_over_lengths(const Grouping& grouping, const Report& report);

// "n = 20" or "n = 18 to 20", of the runs of all series.
std::string counts_text(const Panel& panel);

// What bounds the accuracies of a panel, each said once, by its value: "guessing 0.5", "ceiling 0.5305: permutation".
std::map<double, std::string> levels_of(const Panel& panel);

// What all drawings of curves say of their bands.
inline constexpr const char* kBandText = "band: 95 % interval of the median by order statistics, from 6 seeds on";

// The drawings, each a group of figures without its panels cut to a number.
FigureGroup accuracy_curves(const std::vector<Panel>& panels);
FigureGroup loss_curves(const std::vector<Panel>& panels);
FigureGroup loss_over_seconds(const std::vector<Panel>& panels);
FigureGroup strips(const std::vector<Panel>& panels, const Metric& metric);
FigureGroup success_rates(const std::vector<Panel>& panels);
FigureGroup over_lengths(const std::vector<Panel>& panels, const Metric& metric);
std::vector<FigureGroup> tested_lengths(const std::vector<Panel>& panels);  // accuracy, cross-entropy, calibration
FigureGroup differences(const Report& report);

}  // namespace posenc
