// posenc report DIR...: tables, statistics and figures of the runs that folders keep.
#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "cli/command.h"
#include "cli/report_page.h"
#include "config/choice.h"
#include "posenc/error.h"
#include "report/figures/figures.h"
#include "report/report.h"
#include "report/report_formats.h"
#include "report/report_html.h"
#include "results/folders.h"

namespace posenc {
namespace {

std::vector<std::string> list_of(const ParsedOptions& options, const std::string& name) {
  const auto given = options.extras.find(name);
  if (given == options.extras.end()) return {};
  std::vector<std::string> items = split(given->second, ',');
  if (std::find(items.begin(), items.end(), "") != items.end())
    throw Error(fmt::format("--{} has an empty name (given '{}')", name, given->second));
  return items;
}

const Metric& metric_of(const ParsedOptions& options) {
  const auto given = options.extras.find("metric");
  return find_entry(metrics(), given == options.extras.end() ? "val-acc" : given->second, "--metric", "metric");
}

struct Format {
  std::string name, ending;
  std::string (*write)(const Report&, const std::vector<FigureGroup>&);
};

const std::vector<Format>& formats() {
  using F = std::vector<FigureGroup>;
  static const std::vector<Format> all = {
      {"text", "txt", [](const Report& report, const F&) { return report_text(report); }},
      {"md", "md", [](const Report& report, const F&) { return report_markdown(report); }},
      {"csv", "csv", [](const Report& report, const F&) { return report_csv(report); }},
      {"json", "json", [](const Report& report, const F&) { return report_json(report); }},
      {"html", "html", [](const Report& report, const F& figures) { return report_html(report, figures); }},
  };
  return all;
}

void write_figures(const std::vector<FigureGroup>& groups, const std::string& folder) {
  make_folder(folder + "/figures");
  for (const FigureGroup& group : groups)
    for (const Figure& figure : group.figures)
      replace_file(fmt::format("{}/figures/{}.svg", folder, figure.name), figure.svg);
}

void print_all(const std::string& text, Console& console) { console.print("{}", text.substr(0, text.size() - 1)); }

}  // namespace

std::string report_page(const std::vector<std::string>& folders) {
  const ReadFolders read = read_folders(folders, catalog());
  const Grouping grouping = group_runs(read.records, {}, catalog());
  Report report = build_report(grouping, metrics().front(), read.records);
  report.folders = read.folders;
  return report_html(report, report_figures(grouping, report));
}

int report_command(const ParsedOptions& options, Console& console) {
  if (options.positional.empty()) throw Error("no folder is named (allowed: DIR..., folders that posenc's --out made)");
  const Metric& metric = metric_of(options);
  const auto out = options.settings.find("out");
  const bool to_folder = out != options.settings.end(), figures_wanted = options.extras.contains("figures");
  if (to_folder && out->second.text.empty()) throw Error("--out is not a folder (given '')");
  const auto format_name = options.extras.find("format");
  const Format& format = find_entry(formats(),
                                    format_name != options.extras.end() ? format_name->second
                                    : to_folder                         ? "html"
                                                                        : "text",
                                    "--format", "format");
  if (figures_wanted && !to_folder)
    throw Error("--figures writes files and needs a folder for them (write: --out DIR)");

  console.keep_going();  // the exit code says whether a line is damaged
  const ReadFolders read = read_folders(options.positional, catalog());
  for (const std::string& line : read.damage) console.say("posenc: error: damaged: {}", one_line(line));
  if (!read.damage.empty())
    console.say("posenc: error: {} damaged line(s) are left out of this report", read.damage.size());
  if (read.records.empty()) return 1;
  const Grouping grouping = group_runs(read.records, list_of(options, "by"), catalog());
  Report report = build_report(grouping, metric, read.records);
  report.folders = read.folders;
  report.damage = read.damage;
  std::vector<FigureGroup> figures;
  if (figures_wanted || format.name == "html") figures = report_figures(grouping, report);
  const std::string text = format.write(report, figures);
  if (to_folder) {
    const std::string& folder = out->second.text;
    make_folder(folder);
    if (figures_wanted) write_figures(figures, folder);  // first, so that a page is there only where all is
    const std::string file = fmt::format("{}/report.{}", folder, format.ending);
    replace_file(file, text);
    const bool pairs = format.name == "csv";
    if (pairs) replace_file(folder + "/pairs.csv", pairs_csv(report));
    console.say("{}{} is written{}", file, pairs ? " with pairs.csv" : "",
                figures_wanted ? fmt::format(", and figures to {}/figures", folder) : "");
  } else {
    print_all(text, console);
  }
  const bool all_failed = static_cast<std::int64_t>(report.failures.size()) == report.runs;
  return read.damage.empty() && !all_failed ? 0 : 1;
}

}  // namespace posenc
