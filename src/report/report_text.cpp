#include "report/report_formats.h"
#include "report/report_tables.h"

namespace posenc {

std::string report_text(const Report& report) {
  constexpr TableSizes kMost = {.pairs = 40, .lengths = 12};
  std::string text = report_title(report) + "\n";
  for (const Table& table : report_tables(report, kMost)) text += "\n" + text_of(table);
  text += "\n";
  for (const std::string& note : report_notes(report)) text += "note: " + note + "\n";
  return text;
}

std::string report_markdown(const Report& report) {
  std::string text = "## " + report_title(report) + "\n";
  for (const Table& table : report_tables(report, {})) text += "\n" + markdown_of(table);
  for (const std::string& note : report_notes(report)) text += "\n" + note + "\n";
  return text;
}

}  // namespace posenc
