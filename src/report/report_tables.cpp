#include "report/report_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace posenc {
namespace {

constexpr const char* kMisleading = "*";
constexpr const char* kNarrow = "!";

std::string number(double value, int digits) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "never" : "-never";
  return fmt::format("{:.{}f}", value, digits);
}

std::string why_text(Why why) {
  switch (why) {
    case Why::no_values:
      return "no runs";
    case Why::one_value:
      return "one run";
    case Why::all_equal:
      return "all equal";
    case Why::too_few:
      return "too few runs";
    case Why::undefined:
      return "undefined";
    case Why::ok:
      break;
  }
  return "";
}

// "[0.1, 0.2]", or why there is none.
std::string interval(const Estimate& estimate, int digits) {
  if (!estimate.interval) return why_text(estimate.why);
  return fmt::format("[{}, {}]{}", number(estimate.interval->lower, digits), number(estimate.interval->upper, digits),
                     estimate.too_narrow ? kNarrow : "");
}

std::string modes_text(const Modes& modes, int digits) {
  if (!modes.bimodal) return modes.lower.count == 0 ? "-" : "one";
  return fmt::format("{} x {}, {} x {}", modes.lower.count, number(modes.lower.mean, digits), modes.upper.count,
                     number(modes.upper.mean, digits));
}

// n, with what is missing from it.
std::string count_text(const GroupReport& group) {
  return group.failed == 0 ? fmt::to_string(group.summary.n) : fmt::format("{} of {}", group.summary.n, group.runs);
}

Table outcomes(const Report& report) {
  const Metric& metric = *report.metric;
  const int digits = metric.digits;
  bool bimodal = false, narrow = false, failed = false, without = false;
  for (const GroupReport& group : report.groups) {
    bimodal = bimodal || group.modes.bimodal;
    narrow = narrow || (group.mean.interval && group.mean.too_narrow);
    failed = failed || group.failed > 0;
    without = without || group.without > 0;
  }
  Table table{.title = fmt::format("{}: {}", metric.name, metric.title), .header = report.columns};
  table.words = report.columns.size();
  table.header.emplace_back("n");
  if (bimodal) table.header.emplace_back("modes");
  for (const char* name : {"mean", "95 %", "sd", "median", "IQM", "min", "max"}) table.header.emplace_back(name);
  for (const GroupReport& group : report.groups) {
    std::vector<std::string> row = group.key;
    row.push_back(count_text(group));
    if (bimodal) row.push_back(modes_text(group.modes, digits));
    row.push_back(number(group.summary.mean, digits) + (group.modes.bimodal ? kMisleading : ""));
    row.push_back(interval(group.mean, digits));
    for (const double value : {group.summary.sd, group.summary.median, group.summary.interquartile_mean,
                               group.summary.min, group.summary.max})
      row.push_back(number(value, digits));
    table.rows.push_back(row);
  }
  if (bimodal)
    table.notes.push_back(fmt::format(
        "{} two kinds of runs: a mean between the modes describes none of them, nor does its interval.", kMisleading));
  if (narrow)
    table.notes.push_back(
        fmt::format("{} n is below 10: a bootstrap interval is too narrow there (docs/STATISTICS.md).", kNarrow));
  if (failed)
    table.notes.emplace_back("n is of the runs that finished; those that failed or diverged are listed below.");
  if (without)
    table.notes.emplace_back("Runs that never got there have no number here; the median over all counts them.");
  return table;
}

std::string ceiling_cell(const std::optional<Bounds>& bounds) {
  if (!bounds) return "-";
  return bounds->ceiling ? number(*bounds->ceiling, 4) : "not counted";
}

Table successes(const Report& report) {
  Table table{.title = fmt::format("Final validation accuracy of at least {}, and when", kSuccess),
              .header = report.columns};
  table.words = report.columns.size();
  for (const char* name :
       {"runs", "reach it", "share", "95 %", "epochs, median", "95 %", "never", "ceiling", "guessing"})
    table.header.emplace_back(name);
  std::set<std::string> reasons;
  for (const GroupReport& group : report.groups) {
    std::vector<std::string> row = group.key;
    row.push_back(fmt::to_string(group.runs));
    row.push_back(fmt::to_string(group.successes));
    row.push_back(number(group.success.value, 2));
    row.push_back(interval(group.success, 2));
    row.push_back(number(group.epochs.median.value, 0));
    row.push_back(interval(group.epochs.median, 0));
    row.push_back(fmt::format("{} of {}", group.epochs.never, group.epochs.n));
    row.push_back(ceiling_cell(group.bounds));
    row.push_back(group.bounds ? fmt::format("{:.4f} to {:.4f}", group.bounds->guess_lower, group.bounds->guess_upper)
                               : "-");
    if (group.bounds && !group.bounds->reason.empty() && group.bounds->ceiling != 1.0)
      reasons.insert(group.bounds->reason);
    table.rows.push_back(row);
  }
  table.notes.emplace_back(
      "Shares are of all runs, failed ones among them, with Wilson's interval; epochs are the first at or above it, "
      "\"never\" "
      "counted as infinite, with the order statistics' interval.");
  if (!reasons.empty())
    table.notes.push_back(
        fmt::format("Ceilings: what no model of its kind passes ({}; docs/CEILINGS.md).", fmt::join(reasons, ", ")));
  return table;
}

std::string p_text(double p) {
  if (std::isnan(p)) return "-";
  return p < 0.0001 ? fmt::format("{:.1e}", p) : fmt::format("{:.4f}", p);
}

Table pairs(const Report& report, std::size_t most) {
  const Metric& metric = *report.metric;
  const int digits = metric.digits;
  Table table{.title = fmt::format("Pairs of encodings by {}, first less second", metric.name)};
  for (const auto& [name, value] : report.pairs.front().setting) table.header.push_back(name);
  for (const char* name : {"first", "second"}) table.header.emplace_back(name);
  table.words = table.header.size();
  table.last_is_words = true;
  for (const char* name : {"n", "difference", "95 %", "effect", "95 %", "p", "p, Holm", "in words"})
    table.header.emplace_back(name);
  bool narrow = false, unmatched = false, paired = false, unpaired = false, drawn = false;
  for (const PairReport& pair : report.pairs) {
    narrow = narrow || pair.effect.difference.too_narrow;
    unmatched = unmatched || pair.unmatched > 0;
    paired = paired || pair.paired;
    unpaired = unpaired || !pair.paired;
    drawn = drawn || !pair.test.exact;
    if (table.rows.size() >= most) continue;
    std::vector<std::string> row;
    for (const auto& [name, value] : pair.setting) row.push_back(value);
    row.push_back(pair.first);
    row.push_back(pair.second);
    row.push_back(fmt::to_string(pair.n));
    row.push_back(
        fmt::format("{}{}", pair.effect.difference.value > 0 ? "+" : "", number(pair.effect.difference.value, digits)));
    row.push_back(interval(pair.effect.difference, digits));
    row.push_back(number(pair.effect.standardized.value, 2));
    row.push_back(interval(pair.effect.standardized, 2));
    row.push_back(pair.n < 2 ? "-" : p_text(pair.test.p));
    row.push_back(p_text(pair.adjusted));
    row.push_back(pair_words(pair));
    table.rows.push_back(row);
  }
  if (report.pairs.size() > most)
    table.notes.push_back(fmt::format("{} further pairs: --format md, html, json, or csv with --out, has all.",
                                      report.pairs.size() - most));
  if (paired)
    table.notes.push_back(fmt::format("Paired by seed: sign-flip permutation test, effect Cohen's d_z{}.",
                                      unpaired ? ", where seeding is paired" : ""));
  if (unpaired)
    table.notes.push_back(fmt::format("Seeds do not pair the runs{}: permutation test of two groups, effect Hedges' g.",
                                      paired ? " elsewhere" : " (--seeding paired would)"));
  if (drawn)
    table.notes.emplace_back(
        "Where there are too many arrangements for all, p is of drawn ones, and cannot be smaller than about 1e-05.");
  table.notes.push_back(
      fmt::format("Holm's correction is over {} pairs; seeds needed are for 80 % power at this effect with so many "
                  "pairs, by the normal approximation.",
                  report.pairs.size()));
  if (narrow)
    table.notes.push_back(fmt::format("{} n is below 10: a bootstrap interval is too narrow there.", kNarrow));
  if (unmatched) table.notes.emplace_back("Runs without a partner of the same seed are left out of a pair.");
  return table;
}

Table failures(const Report& report) {
  Table table{.title = "Runs that failed or diverged", .header = {"run", "what", "status", "message"}, .words = 4};
  for (const FailedRun& run : report.failures) table.rows.push_back({run.run_id, run.where, run.status, run.message});
  return table;
}

}  // namespace

std::string pair_words(const PairReport& pair) {
  if (pair.n < 2) return "too few runs to compare";
  const double difference = pair.effect.difference.value;
  if (pair.shown()) return fmt::format("{} is higher", difference > 0 ? pair.first : pair.second);
  if (!pair.needed) return "no difference shown";
  return fmt::format("no difference shown; about {} {} needed", *pair.needed, pair.paired ? "seeds" : "seeds each");
}

std::string report_title(const Report& report) {
  return fmt::format("{} run{} in {} ({}), by {}", report.runs, report.runs == 1 ? "" : "s",
                     fmt::join(report.folders, ", "), report.seeds, report.metric->name);
}

std::vector<std::string> report_notes(const Report& report) {
  std::vector<std::string> notes = report.notes;
  notes.push_back(
      fmt::format("95 % intervals of means and effects are BCa bootstraps over seeds ({} resamples, fixed seed).",
                  report.resamples));
  if (report.machines.size() > 1)
    notes.push_back(fmt::format("Runs are of {} machines or engines, whose last digits may differ: {}.",
                                report.machines.size(), fmt::join(report.machines, "; ")));
  return notes;
}

std::vector<Table> report_tables(const Report& report, const TableSizes& most) {
  std::vector<Table> tables = {outcomes(report)};
  const bool tested = std::any_of(report.groups.begin(), report.groups.end(),
                                  [](const GroupReport& group) { return !group.tested.at.empty(); });
  if (tested) tables.push_back(lengths_table(report, most.lengths));
  tables.push_back(successes(report));
  if (!report.pairs.empty()) tables.push_back(pairs(report, most.pairs));
  if (!report.failures.empty()) tables.push_back(failures(report));
  return tables;
}

}  // namespace posenc
