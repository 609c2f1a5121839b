#include "report/report_html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/fields.h"
#include "plot/svg.h"
#include "report/report_tables.h"

namespace posenc {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<style>
:root {{ --ink: #222; --page: #fff; --faint: #666; --line: #ddd; --band: #f4f4f2; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #ddd; --page: #181818; --faint: #aaa; --line: #444; --band: #222; }} }}
body {{ font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 0 auto; padding: 1rem; max-width: 1340px; }}
h1 {{ font-size: 1.4rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }} h2 {{ font-size: 1.1rem; margin: 2rem 0 .5rem; }}
p {{ margin: .3rem 0; }} .faint, figcaption, .note {{ color: var(--faint); font-size: .87rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }}
th {{ font-weight: 600; position: sticky; top: 0; background: var(--page); }}
.w {{ text-align: left; }} td.m {{ white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }}
tbody tr:nth-child(even) {{ background: var(--band); }}
.figures {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); gap: 1.2rem; align-items: start; }}
figure {{ margin: 0; min-width: 0; }} figure > svg {{ max-width: 100%; height: auto; display: block; }}
details {{ margin: 1rem 0; }} summary {{ cursor: pointer; }}
</style>
</head>
<body>
)";

std::string table_html(const Table& table, bool messages) {
  std::string text = fmt::format("<h2>{}</h2>\n<div class=\"wide\"><table>\n<thead><tr>", escape_xml(table.title));
  for (std::size_t i = 0; i < table.header.size(); ++i)
    text += fmt::format("<th{}>{}</th>", holds_words(table, i) ? " class=\"w\"" : "", escape_xml(table.header[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool message = messages && i + 1 == row.size();
      text += fmt::format("<td{}>{}</td>",
                          message                 ? " class=\"w m\""
                          : holds_words(table, i) ? " class=\"w\""
                                                  : "",
                          escape_xml(row[i]));
    }
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  for (const std::string& note : table.notes) text += fmt::format("<p class=\"note\">{}</p>\n", escape_xml(note));
  return text;
}

// Without the line that only a file of its own may have.
std::string inline_svg(const std::string& document) {
  const auto end = document.find("?>\n");
  return end == std::string::npos ? document : document.substr(end + 3);
}

std::string figure_html(const Figure& figure, const std::string& note) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", inline_svg(figure.svg),
                     escape_xml(note.empty() ? figure.caption : figure.caption + " " + note));
}

std::string figures_html(const std::string& title, const std::string& figures) {
  return fmt::format("<h2>{}</h2>\n<div class=\"figures\">\n{}</div>\n", escape_xml(title), figures);
}

// Where there is one setting, each group is one figure with a title of its own: they stand side by side. Otherwise a
// group has its settings side by side.
std::string all_figures_html(const std::vector<FigureGroup>& groups) {
  std::string text, alone;
  for (const FigureGroup& group : groups)
    if (group.figures.size() == 1) alone += figure_html(group.figures.front(), group.note);
  if (!alone.empty()) text += figures_html("Figures", alone);
  for (const FigureGroup& group : groups) {
    if (group.figures.size() < 2) continue;
    std::string figures;
    for (const Figure& figure : group.figures) figures += figure_html(figure, "");
    text += figures_html(group.title, figures);
    if (!group.note.empty()) text += fmt::format("<p class=\"note\">{}</p>\n", escape_xml(group.note));
  }
  return text;
}

// "vocab=2, train-len=2..20": what all runs share and is no default.
std::string shared_text(const Report& report) {
  std::vector<std::pair<std::string, std::string>> shared = report.shared;
  std::erase_if(shared, [](const auto& each) {
    const Field* field = find_field(each.first);
    return field == nullptr || each.second == to_text(field->get(RunConfig{}));
  });
  return setting_text(shared);
}

std::string shared_html(const Report& report) {
  std::string text = "<details>\n<summary>What all runs share</summary>\n<div class=\"wide\"><table><tbody>\n";
  for (const auto& [name, value] : report.shared)
    text +=
        fmt::format("<tr><td class=\"w\">{}</td><td class=\"w\">{}</td></tr>\n", escape_xml(name), escape_xml(value));
  for (const std::string& machine : report.machines)
    text += fmt::format("<tr><td class=\"w\">machine, engine</td><td class=\"w\">{}</td></tr>\n", escape_xml(machine));
  return text + "</tbody></table></div>\n</details>\n";
}

}  // namespace

std::string report_html(const Report& report, const std::vector<FigureGroup>& figures) {
  std::string text = fmt::format(fmt::runtime(kHead), escape_xml(report.metric->title));
  text += fmt::format("<h1>{}</h1>\n<p class=\"faint\">{} runs, {}; {}</p>\n", "What the position encodings did",
                      report.runs, escape_xml(report.seeds),
                      escape_xml(fmt::format("{}", fmt::join(report.folders, ", "))));
  if (const std::string setting = shared_text(report); !setting.empty())
    text += fmt::format("<p class=\"faint\">{}</p>\n", escape_xml(setting));
  for (const std::string& line : report.damage)
    text += fmt::format("<p><strong>Damaged, and left out: {}</strong></p>\n", escape_xml(line));
  const std::vector<Table> tables = report_tables(report, {});
  const bool has_failures = !report.failures.empty();
  text += table_html(tables.front(), false);
  text += all_figures_html(figures);
  for (std::size_t i = 1; i < tables.size(); ++i) text += table_html(tables[i], has_failures && i + 1 == tables.size());
  for (const std::string& note : report_notes(report))
    text += fmt::format("<p class=\"note\">{}</p>\n", escape_xml(note));
  return text + shared_html(report) + "</body>\n</html>\n";
}

}  // namespace posenc
