#include "report/length_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "report/report.h"
#include "statistics/order_interval.h"

namespace posenc {
namespace {

// At most `most` of them, evenly, with both ends.
std::vector<std::int64_t> some_of(const std::set<std::int64_t>& lengths, std::size_t most) {
  const std::vector<std::int64_t> all(lengths.begin(), lengths.end());
  if (all.size() <= most) return all;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

std::string half_cell(const TestedLengths& tested) {
  if (tested.learned == 0) return "-";
  return std::isinf(tested.half.median.value) ? "never" : fmt::format("{:.0f}", tested.half.median.value);
}

}  // namespace

std::map<std::int64_t, std::vector<double>> by_length(const Group& group, double LengthResult::*member) {
  std::map<std::int64_t, std::vector<double>> all;
  for (const RunRecord* record : group.runs)
    for (const LengthResult& each : record->result.lengths)
      if (std::isfinite(each.*member)) all[each.length].push_back(each.*member);
  return all;
}

TestedLengths summarize_lengths(const Group& group) {
  std::map<std::int64_t, LengthSummary> summaries;
  for (auto& [length, accuracies] : by_length(group, &LengthResult::accuracy))
    summaries[length] = {length, 0, accuracies, median_order_interval(accuracies), std::nullopt};
  std::vector<std::optional<double>> halves;
  for (const RunRecord* record : group.runs) {
    for (const LengthResult& each : record->result.lengths) {
      const auto summary = summaries.find(each.length);
      if (summary == summaries.end()) continue;
      summary->second.trained += each.trained;
      if (each.ceiling) summary->second.ceiling = each.ceiling;
    }
    const LengthScore score = length_score(*record);
    if (!score.score || !score.learned) continue;
    halves.push_back(score.half_accuracy_length ? std::optional<double>(*score.half_accuracy_length) : std::nullopt);
  }
  TestedLengths tested;
  for (auto& [length, summary] : summaries) tested.at.push_back(std::move(summary));
  tested.learned = static_cast<std::int64_t>(halves.size());
  tested.half = censored_median(halves);
  return tested;
}

Table lengths_table(const Report& report, std::size_t most) {
  Table table{.title = "Accuracy at tested lengths, median over seeds", .header = report.columns};
  table.words = report.columns.size();
  std::set<std::int64_t> lengths, trained, in_part;
  for (const GroupReport& group : report.groups)
    for (const LengthSummary& each : group.tested.at) {
      lengths.insert(each.length);
      if (each.trained > 0) trained.insert(each.length);
      if (each.trained < static_cast<std::int64_t>(each.accuracies.size())) in_part.insert(each.length);
    }
  std::erase_if(in_part, [&](std::int64_t length) { return !trained.contains(length); });
  std::erase_if(trained, [&](std::int64_t length) { return in_part.contains(length); });
  const std::vector<std::int64_t> shown = some_of(lengths, most);
  for (const std::int64_t length : shown)
    table.header.push_back(fmt::format("{}{}", length, trained.contains(length) ? "t" : ""));
  table.header.emplace_back("above guessing");
  table.header.emplace_back("half lost at");
  for (const GroupReport& group : report.groups) {
    std::vector<std::string> row = group.key;
    for (const std::int64_t length : shown) {
      std::string cell = "-";
      for (const LengthSummary& each : group.tested.at)
        if (each.length == length) cell = fmt::format("{:.3f}", each.accuracy.value);
      row.push_back(cell);
    }
    row.push_back(fmt::format("{} of {}", group.tested.learned, group.runs));
    row.push_back(half_cell(group.tested));
    table.rows.push_back(row);
  }
  if (!trained.empty()) table.notes.emplace_back("t: a length that training had.");
  if (!in_part.empty())
    table.notes.push_back(fmt::format(
        "Only some runs trained {} {}: scores and lost halves are of different lengths (steps_at in runs.jsonl).",
        in_part.size() == 1 ? "length" : "lengths", fmt::join(in_part, ", ")));
  table.notes.emplace_back(
      "above guessing: runs that are, at the longest trained length that was tested; half lost at: the median of their "
      "half-accuracy lengths, \"never\" counted as infinite (docs/LENGTHS.md).");
  if (shown.size() < lengths.size())
    table.notes.push_back(fmt::format("{} of {} tested lengths; --format json, and lengths.csv, have all.",
                                      shown.size(), lengths.size()));
  return table;
}

}  // namespace posenc
