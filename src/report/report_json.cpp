#include "base/json.h"
#include "limits/bounds_json.h"
#include "report/report_formats.h"
#include "report/report_tables.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

const char* why_name(Why why) {
  switch (why) {
    case Why::no_values:
      return "no values";
    case Why::one_value:
      return "one value";
    case Why::all_equal:
      return "all equal";
    case Why::too_few:
      return "too few";
    case Why::undefined:
      return "undefined";
    case Why::ok:
      break;
  }
  return "ok";
}

ordered_json json_of(const Estimate& estimate) {
  ordered_json object{{"value", json_number(estimate.value)}};
  object["interval"] = nullptr;
  if (estimate.interval)
    object["interval"] = {json_number(estimate.interval->lower), json_number(estimate.interval->upper)};
  object["why_no_interval"] = estimate.interval ? ordered_json(nullptr) : ordered_json(why_name(estimate.why));
  object["too_narrow"] = estimate.too_narrow;
  return object;
}

ordered_json json_of(const Mode& mode) { return {{"count", mode.count}, {"mean", json_number(mode.mean)}}; }

ordered_json json_of(const GroupReport& group, const Report& report) {
  ordered_json object;
  for (std::size_t i = 0; i < group.key.size(); ++i) object["setting"][report.columns[i]] = group.key[i];
  if (group.key.empty()) object["setting"] = ordered_json::object();
  object["runs"] = group.runs;
  object["failed"] = group.failed;
  object["values"] = group.values;
  object["n"] = group.summary.n;
  object["mean"] = json_of(group.mean);
  object["sd"] = json_number(group.summary.sd);
  object["median"] = json_number(group.summary.median);
  object["interquartile_mean"] = json_number(group.summary.interquartile_mean);
  object["min"] = json_number(group.summary.min);
  object["max"] = json_number(group.summary.max);
  object["bimodal"] = group.modes.bimodal;
  object["modes"] = group.modes.bimodal ? ordered_json{json_of(group.modes.lower), json_of(group.modes.upper)}
                                        : ordered_json(nullptr);
  object["successes"] = group.successes;
  object["success"] = json_of(group.success);
  object["epochs_to_95"] = json_of(group.epochs.median);
  object["epochs_to_95"]["never"] = group.epochs.never;
  object["lengths"] = ordered_json::array();
  for (const LengthSummary& each : group.tested.at)
    object["lengths"].push_back({{"length", each.length},
                                 {"trained", each.trained},
                                 {"accuracies", each.accuracies},
                                 {"accuracy", json_of(each.accuracy)},
                                 {"ceiling", json_number(each.ceiling)}});
  object["learned"] = group.tested.learned;
  object["half_accuracy_length"] = json_of(group.tested.half.median);
  object["half_accuracy_length"]["never"] = group.tested.half.never;
  object["bounds"] = bounds_json(group.bounds);
  return object;
}

ordered_json json_of(const PairReport& pair) {
  ordered_json object;
  object["setting"] = ordered_json::object();
  for (const auto& [name, value] : pair.setting) object["setting"][name] = value;
  object["first"] = pair.first;
  object["second"] = pair.second;
  object["n"] = pair.n;
  object["unmatched"] = pair.unmatched;
  object["paired"] = pair.paired;
  object["difference"] = json_of(pair.effect.difference);
  object["effect"] = json_of(pair.effect.standardized);
  object["effect"]["measure"] = pair.paired ? "Cohen's d_z" : "Hedges' g";
  object["p"] = pair.n < 2 ? ordered_json(nullptr) : json_number(pair.test.p);
  object["exact"] = pair.test.exact;
  object["arrangements"] = pair.test.arrangements;
  object["p_holm"] = json_number(pair.adjusted);
  object["seeds_needed"] = pair.needed ? ordered_json(*pair.needed) : ordered_json(nullptr);
  object["words"] = pair_words(pair);
  return object;
}

}  // namespace

std::string report_json(const Report& report) {
  ordered_json object{{"metric", report.metric->name}, {"title", report.metric->title}, {"runs", report.runs},
                      {"folders", report.folders},     {"seeds", report.seeds},         {"columns", report.columns},
                      {"resamples", report.resamples}};
  for (const char* name : {"groups", "pairs", "failures"}) object[name] = ordered_json::array();
  for (const GroupReport& group : report.groups) object["groups"].push_back(json_of(group, report));
  for (const PairReport& pair : report.pairs) object["pairs"].push_back(json_of(pair));
  for (const FailedRun& run : report.failures)
    object["failures"].push_back(
        {{"run_id", run.run_id}, {"where", run.where}, {"status", run.status}, {"message", run.message}});
  object["shared"] = ordered_json::object();
  for (const auto& [name, value] : report.shared) object["shared"][name] = value;
  object["notes"] = report_notes(report);
  object["damaged_lines"] = report.damage;
  return json_line(object, 1) + "\n";
}

}  // namespace posenc
