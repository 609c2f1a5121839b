#include "sweep/record.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "config/fields.h"
#include "config/identity.h"
#include "config/lengths.h"
#include "posenc/error.h"
#include "report/json.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kCrcKey = ",\"crc\":\"";
constexpr std::size_t kCrcDigits = 8;
constexpr std::size_t kTail = kCrcKey.size() + kCrcDigits + 2;  // the digits, a quote and a brace

std::string crc_digits(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

[[noreturn]] void damaged(std::string_view why) { throw Error(fmt::format("damaged line ({})", why)); }

constexpr std::pair<RunResult::Status, const char*> kStatuses[] = {
    {RunResult::Status::finished, "finished"},
    {RunResult::Status::diverged, "diverged"},
    {RunResult::Status::failed, "failed"},
};

RunResult::Status status_of(const std::string& name) {
  for (const auto& [status, text] : kStatuses)
    if (name == text) return status;
  damaged(fmt::format("status '{}'", name));
}

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

std::vector<LengthResult> read_length_results(const ordered_json& json) {
  std::vector<LengthResult> lengths;
  const auto number = [&](const char* name, std::size_t i) {
    const ordered_json& value = json.at(name).at(i);
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  };
  for (std::size_t i = 0; i < json.at("length").size(); ++i) {
    LengthResult each;
    each.length = json.at("length").at(i);
    each.size = json.at("size").at(i);
    each.trained = json.at("trained").at(i);
    each.accuracy = number("accuracy", i);
    each.cross_entropy = number("cross_entropy", i);
    each.calibration_error = number("calibration_error", i);
    each.margin = number("margin", i);
    each.untrained_positions = json.at("untrained_positions").at(i);
    each.majority = number("majority", i);
    if (!json.at("ceiling").at(i).is_null()) each.ceiling = json.at("ceiling").at(i).get<double>();
    lengths.push_back(each);
  }
  return lengths;
}

Bounds read_bounds(const ordered_json& json) {
  Bounds bounds{json.at("majority"), json.at("guessing").at(0), json.at("guessing").at(1), std::nullopt,
                json.at("reason")};
  if (!json.at("ceiling").is_null()) bounds.ceiling = json.at("ceiling").get<double>();
  return bounds;
}

double number(const ordered_json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

RunConfig read_config(const ordered_json& json) {
  RunConfig config;
  for (const Field* field : identity_fields()) {
    const std::string key = snake_case(field->name);
    if (!json.contains(key)) continue;  // a line of a release that had no such option, and did what is its default
    const ordered_json& value = json.at(key);
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    field->set(config, parse_value(field->type, text, field->name));
  }
  return config;
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
  for (const auto& [name, value] : identity(record.config)) json["config"][name] = json_value(value);
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
  std::string line = json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  const std::string digits = crc_digits(line);
  line.pop_back();
  return fmt::format("{}{}{}\"}}", line, kCrcKey, digits);
}

RunRecord from_line(std::string_view line) {
  if (line.size() <= kTail || line.substr(line.size() - kTail, kCrcKey.size()) != kCrcKey || !line.ends_with("\"}"))
    damaged("no checksum at its end");
  std::string rest(line.substr(0, line.size() - kTail));
  rest.push_back('}');
  if (line.substr(line.size() - kCrcDigits - 2, kCrcDigits) != crc_digits(rest)) damaged("its checksum does not match");

  try {
    const ordered_json json = ordered_json::parse(rest);
    if (json.at("schema") != kSchemaVersion)
      throw Error(
          fmt::format("results of another schema (given {}, allowed: {})", json.at("schema").dump(), kSchemaVersion));
    RunRecord record;
    const std::string id = json.at("run_id");
    if (!is_run_id(id)) damaged("run_id is not r and 16 hexadecimal digits");
    record.run_id = normal_run_id(id);
    record.result.status = status_of(json.at("status"));
    record.result.message = json.at("message");
    record.config = read_config(json.at("config"));
    const ordered_json& curve = json.at("curve");
    for (std::size_t i = 0; i < curve.at("epoch").size(); ++i)
      record.result.epochs.push_back(
          {curve.at("epoch").at(i), number(curve.at("train_loss").at(i)), number(curve.at("val_acc").at(i))});
    if (json.contains("steps_at"))
      for (std::size_t i = 0; i < json.at("steps_at").at("length").size(); ++i)
        record.result.steps_at.push_back(
            {json.at("steps_at").at("length").at(i), json.at("steps_at").at("steps").at(i)});
    if (json.contains("lengths")) record.result.lengths = read_length_results(json.at("lengths"));
    if (json.contains("labels")) {  // lines of the first releases have neither these nor bounds
      record.result.train_labels = json.at("labels").at("train").get<std::vector<std::int64_t>>();
      record.result.val_labels = json.at("labels").at("val").get<std::vector<std::int64_t>>();
    }
    if (json.contains("bounds") && !json.at("bounds").is_null()) record.result.bounds = read_bounds(json.at("bounds"));
    const ordered_json& execution = json.at("execution");
    record.execution = {execution.at("started"), execution.at("host"), execution.at("seconds"),
                        execution.at("peak_memory"), execution.at("engine")};
    record.result.seconds = record.execution.seconds;
    record.result.engine = record.execution.engine;
    return record;
  } catch (const nlohmann::json::exception& error) {
    damaged(error.what());
  }
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
