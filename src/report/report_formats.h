// A report in each of its formats. All of them end with a line break.
#pragma once

#include <string>

#include "report/report.h"

namespace posenc {

// For a terminal: of the pairs the first forty.
std::string report_text(const Report& report);

std::string report_markdown(const Report& report);

// Full precision; null for what is not there, and for infinite ones, which stand for "never".
std::string report_json(const Report& report);

// One row a group: the columns, then every statistic at full precision (RFC 4180). What is not there is empty; "inf"
// stands for "never".
std::string report_csv(const Report& report);

// One row a pair of encodings, likewise.
std::string pairs_csv(const Report& report);

}  // namespace posenc
