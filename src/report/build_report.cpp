#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "posenc/error.h"
#include "report/report.h"
#include "statistics/holm.h"
#include "statistics/power.h"
#include "statistics/proportion.h"
#include "statistics/values.h"

namespace posenc {
namespace {

// As many resamples as keep a report of thousands of runs a matter of seconds.
std::int64_t resamples_for(const Grouping& grouping) {
  constexpr double kDraws = 1.5e8, kLeast = 999, kMost = 9999;
  double values = 0;
  for (const Group& group : grouping.groups) {
    const auto n = static_cast<double>(group.runs.size());
    values += n * static_cast<double>(grouping.groups.size());  // every group stands in so many pairs
  }
  return static_cast<std::int64_t>(std::clamp(kDraws / std::max(values, 1.0), kLeast, kMost));
}

bool failed(const RunRecord& record) { return record.result.status != RunResult::Status::finished; }

// The least step between two outcomes of the metric: an accuracy of 400 sequences moves by 1/400.
double step_of(const Metric& metric, const Group& group) {
  if (metric.censored) return 1;  // an epoch
  return metric.bounded ? 1 / static_cast<double>(group.runs.front()->config.val_size) : 0;
}

GroupReport report_of(const Group& group, const Metric& metric, const Resampling& resampling) {
  GroupReport report;
  report.key = group.key;
  report.runs = static_cast<std::int64_t>(group.runs.size());
  std::vector<std::optional<double>> epochs;
  for (const RunRecord* record : group.runs) {
    const bool broken = failed(*record);
    report.failed += broken;
    report.successes += succeeded(*record, kSuccess);
    epochs.push_back(broken ? std::nullopt : epochs_to(record->result, kSuccess));
    const auto value = broken ? std::nullopt : metric.of(*record);
    if (value) report.values.push_back(*value);
    report.without += !broken && !value;
    if (!report.bounds) report.bounds = record->result.bounds;
  }
  report.summary = summarize(report.values);
  report.mean = bootstrap_mean_interval(report.values, resampling);
  report.modes = find_modes(report.values, step_of(metric, group));
  report.success = wilson_interval(report.successes, report.runs);
  report.epochs = censored_median(epochs);
  report.tested = summarize_lengths(group);
  return report;
}

// What two groups are compared by: their values, in pairs of one seed where both have them.
struct Matched {
  std::vector<double> first, second;
  std::int64_t unmatched = 0;
};

std::map<std::string, double> by_seed(const Group& group, const Metric& metric) {
  std::map<std::string, double> values;
  for (const RunRecord* record : group.runs)
    if (const auto value = failed(*record) ? std::nullopt : metric.of(*record))
      values[seeds_of(record->config)] = *value;
  return values;
}

Matched match(const Group& a, const Group& b, const Metric& metric) {
  const auto of_a = by_seed(a, metric), of_b = by_seed(b, metric);
  Matched matched;
  for (const auto& [seed, value] : of_a)
    if (const auto other = of_b.find(seed); other != of_b.end()) {
      matched.first.push_back(value);
      matched.second.push_back(other->second);
    }
  matched.unmatched = static_cast<std::int64_t>(a.runs.size() + b.runs.size() - 2 * matched.first.size());
  return matched;
}

PairReport compare(const Group& a, const Group& b, const Metric& metric, const Resampling& resampling) {
  PairReport pair;
  pair.paired = a.runs.front()->config.seeding == "paired";
  Resampling permutations = kPermutations;
  permutations.resamples = std::min(permutations.resamples, 10 * resampling.resamples + 9);
  if (pair.paired) {
    const Matched matched = match(a, b, metric);
    const std::vector<double> differences = paired_differences(matched.first, matched.second);
    pair.n = static_cast<std::int64_t>(differences.size());
    pair.unmatched = matched.unmatched;
    pair.test = sign_flip_test(differences, permutations);
    pair.effect = paired_effect(differences, resampling);
    return pair;
  }
  std::vector<double> values[2];
  for (const auto& [which, group] : {std::pair(0, &a), std::pair(1, &b)})
    for (const auto& [seed, value] : by_seed(*group, metric)) values[which].push_back(value);
  pair.n = static_cast<std::int64_t>(std::min(values[0].size(), values[1].size()));
  pair.unmatched = static_cast<std::int64_t>(a.runs.size() + b.runs.size() - values[0].size() - values[1].size());
  pair.test = two_group_test(values[0], values[1], permutations);
  pair.effect = unpaired_effect(values[0], values[1], resampling);
  return pair;
}

std::vector<PairReport> compare_all(const Grouping& grouping, const Metric& metric, const Resampling& resampling) {
  std::size_t pos = grouping.columns.size();
  for (std::size_t i = 0; i < grouping.columns.size(); ++i)
    if (grouping.columns[i]->name == "pos") pos = i;
  if (pos == grouping.columns.size()) return {};
  std::vector<PairReport> pairs;
  for (std::size_t i = 0; i < grouping.groups.size(); ++i)
    for (std::size_t j = i + 1; j < grouping.groups.size(); ++j) {
      const Group &a = grouping.groups[i], &b = grouping.groups[j];
      std::vector<std::string> setting_a = a.key, setting_b = b.key;
      setting_a[pos].clear();
      setting_b[pos].clear();
      if (setting_a != setting_b) continue;
      PairReport pair = compare(a, b, metric, resampling);
      pair.first = a.key[pos];
      pair.second = b.key[pos];
      for (std::size_t c = 0; c < a.key.size(); ++c)
        if (c != pos) pair.setting.emplace_back(grouping.columns[c]->name, a.key[c]);
      pairs.push_back(std::move(pair));
    }
  // Settings in the order in which the groups have them.
  std::map<std::vector<std::pair<std::string, std::string>>, std::size_t> place;
  for (const PairReport& pair : pairs) place.try_emplace(pair.setting, place.size());
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const PairReport& a, const PairReport& b) { return place.at(a.setting) < place.at(b.setting); });
  std::vector<double> p_values;
  for (const PairReport& pair : pairs)
    p_values.push_back(pair.n < 2 ? std::numeric_limits<double>::quiet_NaN() : pair.test.p);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].adjusted = adjusted[i];
    const double effect = pairs[i].effect.standardized.value;
    const auto comparisons = static_cast<std::int64_t>(pairs.size());
    pairs[i].needed = pairs[i].paired ? pairs_needed(effect, comparisons) : runs_a_group_needed(effect, comparisons);
  }
  return pairs;
}

std::string where_text(const Grouping& grouping, const Group& group, const RunRecord& record) {
  std::vector<std::pair<std::string, std::string>> setting;
  for (std::size_t i = 0; i < group.key.size(); ++i) setting.emplace_back(grouping.columns[i]->name, group.key[i]);
  setting.emplace_back("seed", fmt::to_string(record.config.seed));
  return setting_text(setting);
}

std::string seeds_text(const std::vector<RunRecord>& records) {
  std::set<std::int64_t> seeds;
  std::set<std::string> seedings;
  for (const RunRecord& record : records) {
    seeds.insert(record.config.seed);
    seedings.insert(record.config.seeding);
  }
  const bool gapless = *seeds.rbegin() - *seeds.begin() + 1 == static_cast<std::int64_t>(seeds.size());
  const std::string which = seeds.size() == 1 ? fmt::format("seed {}", *seeds.begin())
                            : gapless         ? fmt::format("seeds {} to {}", *seeds.begin(), *seeds.rbegin())
                                              : fmt::format("{} seeds", seeds.size());
  return fmt::format("{}, seeding {}", which, fmt::join(seedings, " and "));
}

}  // namespace

Report build_report(const Grouping& grouping, const Metric& metric, const std::vector<RunRecord>& records) {
  Report report;
  report.metric = &metric;
  report.notes = grouping.notes;
  report.shared = grouping.shared;
  report.runs = static_cast<std::int64_t>(records.size());
  report.resamples = resamples_for(grouping);
  report.seeds = seeds_text(records);
  for (const Field* field : grouping.columns) report.columns.push_back(field->name);
  std::set<std::string> machines;
  for (const RunRecord& record : records)
    if (!record.execution.engine.empty()) machines.insert(record.execution.host + ", " + record.execution.engine);
  report.machines.assign(machines.begin(), machines.end());

  const Resampling resampling{.resamples = report.resamples};
  for (const Group& group : grouping.groups) {
    report.groups.push_back(report_of(group, metric, resampling));
    for (const RunRecord* record : group.runs)
      if (failed(*record))
        report.failures.push_back({record->run_id, where_text(grouping, group, *record),
                                   status_name(record->result.status), record->result.message});
  }
  const bool any = std::any_of(report.groups.begin(), report.groups.end(),
                               [](const GroupReport& group) { return !group.values.empty(); });
  if (!any && !metric.censored) {
    // Where all runs failed, the report is about that.
    if (static_cast<std::int64_t>(report.failures.size()) < report.runs)
      throw Error(fmt::format("no run has a {} ({} runs, {} of them failed or diverged)", metric.name, report.runs,
                              report.failures.size()));
    report.notes.push_back(fmt::format("no run has a {}: all of them failed or diverged", metric.name));
  }
  if (!metric.censored) report.pairs = compare_all(grouping, metric, resampling);
  return report;
}

}  // namespace posenc
