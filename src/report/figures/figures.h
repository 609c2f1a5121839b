// The figures of a report, each a panel by itself.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace posenc {

struct Figure {
  std::string name;     // of a file, without its ending: "accuracy-1"
  std::string caption;  // with n and what the band is
  std::string svg;
};

struct FigureGroup {
  std::string title;  // what all its panels show
  std::vector<Figure> figures;
  std::string note;  // "" or that panels are left out
};

// Curves against epochs (median over seeds, its 95 % interval by order statistics, a thin line a seed), accuracy
// against length where it varies, a strip of the seeds' outcomes, success rates with Wilson's interval, a heat map of
// differences, and loss against seconds. One panel a setting of the options besides pos; of many settings the first
// `most`.
std::vector<FigureGroup> report_figures(const Grouping& grouping, const Report& report, std::size_t most = 24);

}  // namespace posenc
