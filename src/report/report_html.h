// A report as one page that stands for itself: no script, nothing loaded, light and dark.
#pragma once

#include <string>
#include <vector>

#include "report/figures/figures.h"
#include "report/report.h"

namespace posenc {

std::string report_html(const Report& report, const std::vector<FigureGroup>& figures);

}  // namespace posenc
