#include "results/record.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/json.h"
#include "config/fields.h"
#include "config/identity.h"
#include "limits/bounds_json.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

constexpr std::pair<RunResult::Status, const char*> kStatuses[] = {
    {RunResult::Status::finished, "finished"},
    {RunResult::Status::diverged, "diverged"},
    {RunResult::Status::failed, "failed"},
};

// One array a number, in the order of `rows`.
template <typename Row, typename Number>
ordered_json numbers(const std::vector<Row>& rows, Number Row::*member) {
  ordered_json all = ordered_json::array();
  for (const Row& each : rows) {
    if constexpr (std::is_same_v<Number, double> || std::is_same_v<Number, std::optional<double>>) {
      all.push_back(json_number(each.*member));
    } else {
      all.push_back(each.*member);
    }
  }
  return all;
}

ordered_json lengths_json(const std::vector<LengthResult>& lengths) {
  return {{"length", numbers(lengths, &LengthResult::length)},
          {"size", numbers(lengths, &LengthResult::size)},
          {"trained", numbers(lengths, &LengthResult::trained)},
          {"accuracy", numbers(lengths, &LengthResult::accuracy)},
          {"cross_entropy", numbers(lengths, &LengthResult::cross_entropy)},
          {"calibration_error", numbers(lengths, &LengthResult::calibration_error)},
          {"margin", numbers(lengths, &LengthResult::margin)},
          {"untrained_positions", numbers(lengths, &LengthResult::untrained_positions)},
          {"majority", numbers(lengths, &LengthResult::majority)},
          {"ceiling", numbers(lengths, &LengthResult::ceiling)}};
}

}  // namespace

const char* status_name(RunResult::Status status) {
  for (const auto& [known, text] : kStatuses)
    if (known == status) return text;
  return "";
}

std::string to_line(const RunRecord& record) {
  ordered_json json;
  json["schema"] = kSchemaVersion;
  json["run_id"] = record.run_id;
  json["status"] = status_name(record.result.status);
  json["message"] = record.result.message;
  for (const Field* field : identity_fields())
    json["config"][snake_case(field->name)] =
        json_value(record.id_of_all_values ? field->get(record.config) : field->identity_value(record.config));
  ordered_json& curve = json["curve"];
  curve["epoch"] = numbers(record.result.epochs, &EpochResult::epoch);
  curve["train_loss"] = numbers(record.result.epochs, &EpochResult::train_loss);
  curve["val_acc"] = numbers(record.result.epochs, &EpochResult::val_acc);
  json["steps_at"] = {{"length", numbers(record.result.steps_at, &LengthSteps::length)},
                      {"steps", numbers(record.result.steps_at, &LengthSteps::steps)}};
  if (!record.result.lengths.empty()) json["lengths"] = lengths_json(record.result.lengths);
  json["labels"] = {{"train", record.result.train_labels}, {"val", record.result.val_labels}};
  json["bounds"] = bounds_json(record.result.bounds);
  json["execution"] = {{"started", record.execution.started},
                       {"host", record.execution.host},
                       {"seconds", record.execution.seconds},
                       {"peak_memory", record.execution.peak_memory},
                       {"engine", record.execution.engine}};
  return with_checksum(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

LengthScore length_score(const RunRecord& record) {
  const double val_acc = record.result.epochs.empty() ? std::nan("") : record.result.last().val_acc;
  return score_of(record.result.lengths, trained_on(record.config, record.result.steps_at).back(), val_acc,
                  record.config.val_size);
}

Execution execution_now(double seconds, const std::string& engine) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto started = std::chrono::system_clock::now() -
                       std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::duration<double>(seconds));
  const std::time_t time = std::chrono::system_clock::to_time_t(started);
  return {fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time)), host_name(), seconds,
          std::int64_t{usage.ru_maxrss} * 1024, engine};
}

std::string utc_now() { return execution_now(0, "").started; }

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace posenc
