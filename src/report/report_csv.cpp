#include <fmt/format.h>

#include <cmath>

#include "report/report_formats.h"
#include "report/report_tables.h"
#include "results/csv.h"

namespace posenc {
namespace {

std::string field(double number) { return std::isnan(number) ? "" : fmt::to_string(number); }
std::string field(const std::optional<Interval>& interval, double Interval::*end) {
  return interval ? field((*interval).*end) : "";
}

// "value,lower,upper"
std::string fields(const Estimate& estimate) {
  return fmt::format("{},{},{}", field(estimate.value), field(estimate.interval, &Interval::lower),
                     field(estimate.interval, &Interval::upper));
}

std::string bounds_fields(const std::optional<Bounds>& bounds) {
  if (!bounds) return ",,,";
  return fmt::format("{},{},{},{}", bounds->majority, bounds->guess_lower, bounds->guess_upper,
                     bounds->ceiling ? fmt::to_string(*bounds->ceiling) : "");
}

}  // namespace

std::string report_csv(const Report& report) {
  std::string text;
  for (const std::string& column : report.columns) text += csv_field(column) + ",";
  text +=
      "runs,failed,n,mean,mean_lower,mean_upper,sd,median,interquartile_mean,min,max,bimodal,lower_mode_count,lower_"
      "mode,"
      "upper_mode_count,upper_mode,successes,success,success_lower,success_upper,epochs_to_95,epochs_to_95_lower,"
      "epochs_to_95_upper,never,majority,guess_lower,guess_upper,ceiling,above_guessing,half_accuracy_length,"
      "half_accuracy_length_lower,half_accuracy_length_upper,half_accuracy_length_never\n";
  for (const GroupReport& group : report.groups) {
    for (const std::string& value : group.key) text += csv_field(value) + ",";
    const Summary& summary = group.summary;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},", group.runs, group.failed, summary.n, fields(group.mean),
                        field(summary.sd), field(summary.median), field(summary.interquartile_mean), field(summary.min),
                        field(summary.max), group.modes.bimodal);
    if (group.modes.bimodal) {
      text += fmt::format("{},{},{},{},", group.modes.lower.count, field(group.modes.lower.mean),
                          group.modes.upper.count, field(group.modes.upper.mean));
    } else {
      text += ",,,,";
    }
    text += fmt::format("{},{},{},{},{},", group.successes, fields(group.success), fields(group.epochs.median),
                        group.epochs.never, bounds_fields(group.bounds));
    const TestedLengths& tested = group.tested;
    text += tested.at.empty()
                ? ",,,,\n"
                : fmt::format("{},{},{}\n", tested.learned, fields(tested.half.median), tested.half.never);
  }
  return text;
}

std::string pairs_csv(const Report& report) {
  std::string text;
  if (!report.pairs.empty())
    for (const auto& [name, value] : report.pairs.front().setting) text += csv_field(name) + ",";
  text +=
      "first,second,n,unmatched,paired,difference,difference_lower,difference_upper,effect,effect_lower,effect_upper,p,"
      "exact,"
      "arrangements,p_holm,seeds_needed,words\n";
  for (const PairReport& pair : report.pairs) {
    for (const auto& [name, value] : pair.setting) text += csv_field(value) + ",";
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(pair.first), csv_field(pair.second), pair.n,
                    pair.unmatched, pair.paired, fields(pair.effect.difference), fields(pair.effect.standardized),
                    pair.n < 2 ? "" : field(pair.test.p), pair.test.exact, pair.test.arrangements, field(pair.adjusted),
                    pair.needed ? fmt::to_string(*pair.needed) : "", csv_field(pair_words(pair)));
  }
  return text;
}

}  // namespace posenc
