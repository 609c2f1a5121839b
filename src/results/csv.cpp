#include "results/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "config/identity.h"
#include "results/metric.h"

namespace posenc {
namespace {

std::string number_field(double number) { return std::isfinite(number) ? fmt::to_string(number) : ""; }

std::string best_accuracy(const RunResult& result) {
  double best = std::nan("");
  for (const EpochResult& epoch : result.epochs)
    if (!(best >= epoch.val_acc) && !std::isnan(epoch.val_acc)) best = epoch.val_acc;
  return number_field(best);
}

std::string epochs_field(const RunResult& result) {
  const auto epochs = epochs_to(result, kSuccess);
  return epochs ? fmt::to_string(*epochs) : "";
}

std::string bounds_fields(const std::optional<Bounds>& bounds) {
  if (!bounds) return ",,,,";
  return fmt::format("{},{},{},{},{}", bounds->majority, bounds->guess_lower, bounds->guess_upper,
                     bounds->ceiling ? number_field(*bounds->ceiling) : "", csv_field(bounds->reason));
}

// "205 195"
std::string counts_field(const std::vector<std::int64_t>& counts) { return fmt::format("{}", fmt::join(counts, " ")); }

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field(text);
  if (!field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos)
    field.insert(0, "'");
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string runs_csv(const std::vector<const RunRecord*>& records) {
  std::string text = "run_id";
  for (const auto& [name, value] : identity(RunConfig{})) text += "," + name;
  text +=
      ",status,message,final_train_loss,final_val_acc,best_val_acc,epochs_to_95,score,half_accuracy_length,majority,"
      "guess_lower,guess_upper,"
      "ceiling,"
      "ceiling_reason,train_labels,val_labels,seconds\n";
  for (const RunRecord* record : records) {
    text += record->run_id;
    for (const auto& [name, value] : identity(record->config)) {
      const auto* words = std::get_if<std::string>(&value);
      text += "," + (words ? csv_field(*words) : to_text(value));
    }
    const RunResult& result = record->result;
    const LengthScore lengths = length_score(*record);
    const EpochResult last = result.epochs.empty() ? EpochResult{0, std::nan(""), std::nan("")} : result.last();
    text += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{}\n", status_name(result.status), csv_field(result.message),
                        number_field(last.train_loss), number_field(last.val_acc), best_accuracy(result),
                        epochs_field(result), lengths.score ? fmt::to_string(*lengths.score) : "",
                        lengths.half_accuracy_length ? fmt::to_string(*lengths.half_accuracy_length) : "",
                        bounds_fields(result.bounds), counts_field(result.train_labels),
                        counts_field(result.val_labels), number_field(record->execution.seconds));
  }
  return text;
}

std::string lengths_csv(const std::vector<const RunRecord*>& records) {
  std::string text =
      "run_id,length,accuracy,cross_entropy,calibration_error,margin,size,trained,untrained_positions,majority,"
      "ceiling\n";
  for (const RunRecord* record : records)
    for (const LengthResult& each : record->result.lengths)
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", record->run_id, each.length, number_field(each.accuracy),
                      number_field(each.cross_entropy), number_field(each.calibration_error), number_field(each.margin),
                      each.size, each.trained, each.untrained_positions, number_field(each.majority),
                      each.ceiling ? fmt::to_string(*each.ceiling) : "");
  return text;
}

std::string epochs_csv(const std::vector<const RunRecord*>& records) {
  std::string text = "run_id,epoch,train_loss,val_acc\n";
  for (const RunRecord* record : records)
    for (const EpochResult& epoch : record->result.epochs)
      text += fmt::format("{},{},{},{}\n", record->run_id, epoch.epoch, number_field(epoch.train_loss),
                          number_field(epoch.val_acc));
  return text;
}

}  // namespace posenc
