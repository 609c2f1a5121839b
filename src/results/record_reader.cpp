// A line of runs.jsonl as a record. Anybody may have written the line, so nothing in it is believed before it is
// checked, and no memory is allocated because of a number in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checksum.h"
#include "config/fields.h"
#include "config/identity.h"
#include "config/lengths.h"
#include "config/resolve.h"
#include "posenc/error.h"
#include "results/json_part.h"
#include "results/record.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

constexpr double kLongestSeconds = 1e10;
constexpr double kOne = 1 + 1e-9;  // a share that was summed up

// The first key of `part` that this release does not know, with the names of the objects that it is in; "" for none.
std::string unknown_key(const JsonPart& line) {
  static const std::vector<std::string> options = [] {
    std::vector<std::string> names;
    for (const Field* field : identity_fields()) names.push_back(snake_case(field->name));
    return names;
  }();
  static const std::vector<std::pair<const char*, std::vector<std::string>>> known = {
      {"config", options},
      {"curve", {"epoch", "train_loss", "val_acc"}},
      {"steps_at", {"length", "steps"}},
      {"lengths",
       {"length", "size", "trained", "accuracy", "cross_entropy", "calibration_error", "margin", "untrained_positions",
        "majority", "ceiling"}},
      {"labels", {"train", "val"}},
      {"bounds", {"majority", "guessing", "ceiling", "reason"}},
      {"execution", {"started", "host", "seconds", "peak_memory", "engine"}},
  };
  static const std::vector<std::string> outermost = [] {
    std::vector<std::string> names = {"schema", "run_id", "status", "message"};
    for (const auto& [name, keys] : known) names.emplace_back(name);
    return names;
  }();
  std::string unknown = line.unknown_key(outermost);
  for (const auto& [name, keys] : known)
    if (unknown.empty() && line.has(name) && !line.at(name).is_null()) unknown = line.at(name).unknown_key(keys);
  return unknown;
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

// The option's value, of its type and in its range, but for a name that is none of its choices, which `unknown_choice`
// then says.
Value read_value(const Field& field, const JsonPart& part, std::string& unknown_choice) {
  const ValueType& type = field.type;
  std::string text;
  switch (type.kind) {
    case ValueType::Kind::flag:
      return part.flag();
    case ValueType::Kind::integer:
      return part.integer(type.least, type.greatest);
    case ValueType::Kind::real:
      return parse_value(type, part.number_text(), part.name());
    case ValueType::Kind::text:
      text = part.text();
  }
  if (has_control_character(text)) part.refuse("a text without control characters");
  const auto& choices = type.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end())
    return parse_value(type, text, part.name());
  unknown_choice = fmt::format("{} = {}", part.name(), text);
  return text;
}

RunConfig read_config(const JsonPart& json, const Catalog& catalog, std::string& unknown_choice) {
  RunConfig config;
  Settings given;
  for (const Field* field : identity_fields()) {
    const std::string key = snake_case(field->name);
    if (!json.has(key)) continue;  // a line of a release that had no such option, and did what is its default
    field->set(config, read_value(*field, json.at(key), unknown_choice));
    given[field->name];
  }
  derive_unset(config, given, catalog);
  if (!config.train_len.empty()) read_length_range(config.train_len, "config.train_len");
  read_lengths(config.eval_len, "config.eval_len");
  return config;
}

RunResult::Status read_status(const JsonPart& json) {
  using Status = RunResult::Status;
  const std::string name = json.text();
  for (const Status status : {Status::finished, Status::diverged, Status::failed})
    if (name == status_name(status)) return status;
  json.refuse("finished, diverged or failed");
}

std::vector<EpochResult> read_epochs(const JsonPart& json) {
  const auto epoch = json.at("epoch").rising(0);
  const auto train_loss = json.at("train_loss").numbers(0), val_acc = json.at("val_acc").shares();
  json.check_rows(epoch.size(), {train_loss.size(), val_acc.size()});
  std::vector<EpochResult> epochs;
  for (std::size_t i = 0; i < epoch.size(); ++i) epochs.push_back({epoch[i], train_loss[i], val_acc[i]});
  return epochs;
}

std::vector<LengthSteps> read_steps(const JsonPart& json) {
  const auto length = json.at("length").rising(1), steps = json.at("steps").integers(0);
  json.check_rows(length.size(), {steps.size()});
  std::vector<LengthSteps> all;
  for (std::size_t i = 0; i < length.size(); ++i) all.push_back({length[i], steps[i]});
  return all;
}

std::vector<LengthResult> read_lengths_tested(const JsonPart& json) {
  const auto length = json.at("length").rising(1), size = json.at("size").integers(1),
             untrained_positions = json.at("untrained_positions").integers(0);
  const auto trained = json.at("trained").flags();
  const auto accuracy = json.at("accuracy").shares(), cross_entropy = json.at("cross_entropy").numbers(0),
             calibration_error = json.at("calibration_error").numbers(0, kOne), margin = json.at("margin").numbers(),
             majority = json.at("majority").numbers(0, kOne), ceiling = json.at("ceiling").numbers(0, kOne);
  json.check_rows(length.size(),
                  {size.size(), untrained_positions.size(), trained.size(), accuracy.size(), cross_entropy.size(),
                   calibration_error.size(), margin.size(), majority.size(), ceiling.size()});
  std::vector<LengthResult> all;
  for (std::size_t i = 0; i < length.size(); ++i)
    all.push_back({length[i], size[i], trained[i], accuracy[i], cross_entropy[i], calibration_error[i], margin[i],
                   untrained_positions[i], majority[i],
                   std::isnan(ceiling[i]) ? std::nullopt : std::optional(ceiling[i])});
  return all;
}

Bounds read_bounds(const JsonPart& json) {
  const std::vector<double> guessing = json.at("guessing").shares();
  json.at("guessing").check_rows(guessing.size(), {2});
  if (!(guessing[0] <= guessing[1])) json.at("guessing").refuse("the lower end and the upper one");
  Bounds bounds{json.at("majority").number(0, kOne), guessing[0], guessing[1], std::nullopt, json.at("reason").text()};
  if (has_control_character(bounds.reason)) json.at("reason").refuse("a text without control characters");
  if (!json.at("ceiling").is_null()) bounds.ceiling = json.at("ceiling").number(0, kOne);
  return bounds;
}

RunResult read_result(const JsonPart& line) {
  RunResult result;
  result.status = read_status(line.at("status"));
  result.message = line.at("message").text();
  result.epochs = read_epochs(line.at("curve"));
  if (result.epochs.empty() && result.status != RunResult::Status::failed)
    throw Error(fmt::format("a run that {} has no epoch", status_name(result.status)));
  if (result.status == RunResult::Status::finished)
    for (const EpochResult& epoch : result.epochs)
      if (std::isnan(epoch.val_acc))
        throw Error(fmt::format("a run that finished has no val_acc in epoch {}", epoch.epoch));
  // Lines of the first releases have none of these.
  if (line.has("steps_at")) result.steps_at = read_steps(line.at("steps_at"));
  if (line.has("lengths")) result.lengths = read_lengths_tested(line.at("lengths"));
  if (line.has("labels")) {
    result.train_labels = line.at("labels").at("train").integers(0);
    result.val_labels = line.at("labels").at("val").integers(0);
  }
  if (line.has("bounds") && !line.at("bounds").is_null()) result.bounds = read_bounds(line.at("bounds"));
  return result;
}

Execution read_execution(const JsonPart& json) {
  return {json.at("started").text(), json.at("host").text(), json.at("seconds").number(0, kLongestSeconds),
          json.at("peak_memory").integer(0, std::numeric_limits<std::int64_t>::max()), json.at("engine").text()};
}

std::variant<RunRecord, LineFault> read_line(std::string_view text, const Catalog& catalog) {
  const auto other_release = [](std::string why) { return LineFault{LineFault::Kind::other_release, std::move(why)}; };
  const ordered_json json = ordered_json::parse(without_checksum(text), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Error("it is not JSON");
  const JsonPart line(json);
  const std::int64_t schema = line.at("schema").integer(1);
  if (schema != kSchemaVersion)
    return other_release(fmt::format("results of another schema (given {}, allowed: {})", schema, kSchemaVersion));
  if (const std::string key = unknown_key(line); !key.empty())
    return other_release(fmt::format("of another release, since this one does not know {}", key));

  RunRecord record;
  record.run_id = line.at("run_id").text();
  if (!is_run_id(record.run_id)) line.at("run_id").refuse("r and 16 hexadecimal digits");
  std::string unknown_choice;
  record.config = read_config(line.at("config"), catalog, unknown_choice);
  if (!is_id_of_stored(record.run_id, record.config, catalog))
    throw Error(fmt::format("run_id {} is not that of its config", record.run_id));
  if (!unknown_choice.empty())
    return other_release(fmt::format("of another release, since this one does not know {}", unknown_choice));
  record.run_id = normal_run_id(record.run_id);
  record.id_of_all_values = record.run_id != run_id(record.config, catalog);
  record.result = read_result(line);
  record.execution = read_execution(line.at("execution"));
  record.result.seconds = record.execution.seconds;
  record.result.engine = record.execution.engine;
  return record;
}

// What was given may be as long as the line.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 300;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

}  // namespace

std::variant<RunRecord, LineFault> from_line(std::string_view line, const Catalog& catalog) {
  std::variant<RunRecord, LineFault> read;
  try {
    read = read_line(line, catalog);
  } catch (const Error& error) {
    read = LineFault{LineFault::Kind::damaged, error.what()};
  }
  if (auto* fault = std::get_if<LineFault>(&read)) fault->why = shortened(fault->why);
  return read;
}

}  // namespace posenc
