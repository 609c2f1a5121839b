#include "results/record.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "base/json.h"
#include "config/fields.h"
#include "config/identity.h"
#include "support/catch.h"
#include "support/forged_line.h"
#include "support/plain_catalog.h"
#include "support/some_record.h"

using namespace posenc;

namespace {

RunRecord record_in(const std::string& line) { return std::get<RunRecord>(from_line(line, plain_catalog())); }

LineFault fault_in(const std::string& line) { return std::get<LineFault>(from_line(line, plain_catalog())); }

bool is_damaged(const std::string& line) {
  const auto read = from_line(line, plain_catalog());
  const auto* fault = std::get_if<LineFault>(&read);
  return fault != nullptr && fault->kind == LineFault::Kind::damaged;
}

}  // namespace

TEST_CASE("a record is read back from its line to the last bit", "[results]") {
  const RunRecord record = some_record(7);
  const std::string line = to_line(record);
  CHECK(line.find('\n') == std::string::npos);
  const RunRecord back = record_in(line);
  CHECK(to_line(back) == line);
  CHECK(back.run_id == record.run_id);
  CHECK(run_id(back.config, plain_catalog()) == record.run_id);
  CHECK(back.config.lr == record.config.lr);
  REQUIRE(back.result.steps_at.size() == 1);
  CHECK(back.result.steps_at[0].length == 16);
  CHECK(back.result.steps_at[0].steps == 37);
  REQUIRE(back.result.epochs.size() == record.result.epochs.size());
  for (std::size_t i = 0; i < back.result.epochs.size(); ++i)
    CHECK(back.result.epochs[i].train_loss == record.result.epochs[i].train_loss);
}

TEST_CASE("a record keeps what was drawn and what bounds the accuracy", "[results]") {
  RunRecord record = some_record(2);
  const RunRecord back = record_in(to_line(record));
  CHECK(back.result.train_labels == record.result.train_labels);
  CHECK(back.result.val_labels == record.result.val_labels);
  REQUIRE(back.result.bounds);
  CHECK(back.result.bounds->ceiling == record.result.bounds->ceiling);
  CHECK(back.result.bounds->reason == "permutation");
  record.result.bounds->ceiling.reset();
  CHECK_FALSE(record_in(to_line(record)).result.bounds->ceiling);
  record.result.bounds.reset();
  CHECK_FALSE(record_in(to_line(record)).result.bounds);
}

TEST_CASE("the checksum is the CRC-32 of the line without it", "[results]") {
  REQUIRE(crc_digits("123456789") == "cbf43926");
  const auto json = nlohmann::ordered_json::parse(to_line(some_record(1)));
  CHECK(json["crc"] == crc_digits(parsed(some_record(1)).dump()));
}

TEST_CASE("a diverged run has null where it has no number", "[results]") {
  RunRecord record = some_record(1);
  record.result.status = RunResult::Status::diverged;
  record.result.message = "the loss became nan in epoch 3";
  record.result.epochs.push_back({3, std::nan(""), std::nan("")});
  const auto json = nlohmann::json::parse(to_line(record));
  CHECK(json["curve"]["train_loss"].back().is_null());
  const RunRecord back = record_in(to_line(record));
  CHECK(back.result.status == RunResult::Status::diverged);
  CHECK(std::isnan(back.result.last().val_acc));
}

TEST_CASE("a line of a release without some option reads as that option's default", "[results]") {
  const RunRecord record = some_record(3);
  auto json = parsed(record);
  for (const char* option :
       {"optimizer", "weight_decay", "momentum", "grad_clip", "schedule", "norm", "norm_eps", "bos"})
    CHECK(json["config"].erase(option) == 1);
  const RunRecord back = record_in(sealed(json));
  CHECK(run_id(back.config, plain_catalog()) == record.run_id);
  CHECK(to_line(back) == to_line(record));
}

TEST_CASE("no damage to a line is taken for a result", "[results]") {
  const std::string line = to_line(some_record(1));
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string broken = line;
    if (i % 2 == 0) {
      broken[random() % broken.size()] ^= static_cast<char>(1 + random() % 255);
    } else {
      broken.resize(random() % broken.size());
    }
    CHECK(is_damaged(broken));
  }
}

TEST_CASE("a line of another schema is of another release, however whole it is", "[results]") {
  auto json = parsed(some_record(1));
  for (const int schema : {1, 3}) {
    json["schema"] = schema;
    const LineFault fault = fault_in(sealed(json));
    CHECK(fault.kind == LineFault::Kind::other_release);
    CHECK(fault.why == "results of another schema (given " + std::to_string(schema) + ", allowed: 2)");
  }
  CHECK(is_damaged("{}"));
  CHECK(is_damaged(""));
}

TEST_CASE("an id without its letter is the same id", "[results]") {
  const RunRecord record = some_record(3);
  auto json = parsed(record);
  json["run_id"] = record.run_id.substr(1);  // as earlier releases wrote it
  CHECK(record_in(sealed(json)).run_id == record.run_id);
}

TEST_CASE("a run id that is not that of the line's options is damage", "[results]") {
  auto json = parsed(some_record(1));
  json["config"]["lr"] = 0.5;
  CHECK_THAT(fault_in(sealed(json)).why, ContainsSubstring("is not that of its config"));
  CHECK(is_damaged(sealed(json)));
  for (const char* id : {"../../../x", "", "r", "R0123456789abcdef", "0123456789ABCDEF", "rr123456789abcdef0"}) {
    json = parsed(some_record(1));
    json["run_id"] = id;
    CHECK(fault_in(sealed(json)).why == "run_id is not r and 16 hexadecimal digits");
  }
}

TEST_CASE("what this release does not know is of another release, and named", "[results]") {
  const auto why = [](const nlohmann::ordered_json& json) {
    const LineFault fault = fault_in(sealed(json));
    CHECK(fault.kind == LineFault::Kind::other_release);
    return fault.why;
  };
  auto json = parsed(some_record(1));
  json["config"]["frobnicate"] = 3;
  CHECK_THAT(why(json), ContainsSubstring("does not know config.frobnicate"));
  json = parsed(some_record(1));
  json["curve"]["gradient_norm"] = {1, 2};
  CHECK_THAT(why(json), ContainsSubstring("does not know curve.gradient_norm"));
  // A new choice is one where the id says that a release wrote it, and damage where it does not.
  json = parsed(some_record(1));
  json["config"]["optimizer"] = "lion";
  CHECK(is_damaged(sealed(json)));
  json["run_id"] = id_of("data_seed=42\ninit_seed=42\nlr=0.3333333333333333\noptimizer=lion\nseed=1\n");
  CHECK_THAT(why(json), ContainsSubstring("does not know config.optimizer = lion"));
}

TEST_CASE("a value that is not of its kind is damage, which says what it is", "[results]") {
  struct Case {
    const char* where;
    const char* value;
    const char* why;
  };
  const std::vector<Case> cases = {
      {"/config/train_len", R"("zzz")", "config.train_len is not a range of lengths (given 'zzz'"},
      {"/config/train_len", R"("2..2147483647")", "config.train_len has too many lengths (given '2..2147483647'"},
      {"/config/eval_len", R"("2..2147483647")", "config.eval_len has too many lengths"},
      {"/config/eval_len", R"("8,,9")", "config.eval_len is not an integer (given ''"},
      {"/config/seed", "-1", "config.seed is not an integer from 0 to 4294967295"},
      {"/config/seed", R"("1")", "config.seed is not an integer"},
      {"/config/seed", "1.0", "config.seed is not an integer"},
      {"/config/seed", "18446744073709551615", "config.seed is not an integer"},
      {"/config/epochs", "99999999999", "config.epochs is not an integer from 0 to 2147483647"},
      {"/config/dropout", "1", "config.dropout is out of range (given '1', allowed: number in [0, 1))"},
      {"/config/dropout", "true", "config.dropout is not a number"},
      {"/config/causal", "0", "config.causal is not true or false"},
      {"/config/pos", "7", "config.pos is not a text"},
      {"/config/pos", R"("a\u001b[2J")", "config.pos is not a text without control characters"},
      {"/config/device", R"("abacus")", "config.device is not allowed"},
      {"/config", "[]", "config is not an object"},
      {"/run_id", "1", "run_id is not a text"},
      {"/status", R"("fine")", "status is not finished, diverged or failed"},
      {"/message", "null", "message is not a text"},
      {"/curve/epoch", "[1]", "curve has arrays of different lengths"},
      {"/curve/epoch", "[2,1]", "curve.epoch is not an array that rises"},
      {"/curve/epoch", "[-1,1]", "curve.epoch is not an array of integers from 0"},
      {"/curve/epoch", R"({"0":1})", "curve.epoch is not an array"},
      {"/curve/val_acc", "[0.5,1.5]", "curve.val_acc is not an array of numbers"},
      {"/curve/val_acc", R"([0.5,"1"])", "curve.val_acc is not an array of numbers"},
      {"/curve", R"({"epoch":[],"train_loss":[],"val_acc":[]})", "a run that finished has no epoch"},
      {"/curve/val_acc", "[0.5,null]", "a run that finished has no val_acc in epoch 2"},
      {"/curve/train_loss", "[-1,0.5]", "curve.train_loss is not an array of numbers"},
      {"/steps_at/steps", "[-30]", "steps_at.steps is not an array of integers from 0"},
      {"/steps_at", "null", "steps_at is not an object"},
      {"/labels/train", "[1012,-988]", "labels.train is not an array of integers from 0"},
      {"/bounds/guessing", "[0.5]", "bounds.guessing has arrays of different lengths"},
      {"/bounds/guessing", "[0.8,0.2]", "bounds.guessing is not the lower end and the upper one"},
      {"/bounds/guessing", "[-1,2]", "bounds.guessing is not an array of numbers"},
      {"/bounds/ceiling", "-1", "bounds.ceiling is not a number"},
      {"/bounds/ceiling", "2", "bounds.ceiling is not a number"},
      {"/bounds/reason", R"("\u001b[31m")", "bounds.reason is not a text without control characters"},
      {"/bounds/majority", "1.1", "bounds.majority is not a number"},
      {"/bounds/majority", "null", "bounds.majority is not a number"},
      {"/execution/seconds", "-1", "execution.seconds is not a number"},
      {"/execution/host", "{}", "execution.host is not a text"},
      {"/schema", R"("2")", "schema is not an integer"},
      {"/schema", "0", "schema is not an integer from 1"},
      {"/lengths", R"({"length":[8]})", "lengths.size is missing"},
  };
  for (const Case& each : cases) {
    auto json = parsed(some_record(1));
    json[nlohmann::ordered_json::json_pointer(each.where)] = nlohmann::ordered_json::parse(each.value);
    INFO(each.where << " = " << each.value);
    const LineFault fault = fault_in(sealed(json));
    CHECK(fault.kind == LineFault::Kind::damaged);
    CHECK_THAT(fault.why, StartsWith(each.why));
  }
  auto json = parsed(some_record(1));
  json.erase("execution");
  CHECK(fault_in(sealed(json)).why == "execution is missing");
}

TEST_CASE("a whole checksum over what is no JSON is damage in posenc's own words", "[results]") {
  const std::string deep(100'000, '[');
  for (const std::string& rest :
       {std::string("{\"schema\":2,}"), std::string("{\"a\":1e999}"), std::string("{\"a\":\"\xff\"}"),
        "{\"a\":" + deep + "}", "{\"a\":" + deep + std::string(100'000, ']') + "}"}) {
    const LineFault fault = fault_in(sealed(rest));
    CHECK(fault.kind == LineFault::Kind::damaged);
    CHECK((fault.why == "it is not JSON" || fault.why == "schema is missing"));
  }
  auto json = parsed(some_record(1));
  json["config"]["train_len"] = std::string(1'000'000, 'z');
  CHECK(fault_in(sealed(json)).why.size() < 400);
}

// Anything may stand in a line whose checksum is right. What is read is a run of its own options, or is named.
TEST_CASE("no forged line is taken for the result of other options", "[results]") {
  const RunRecord record = some_record(1);
  const std::string rest = parsed(record).dump();
  const std::vector<std::string> pieces = {
      "null", "-1",    "1e308", "\"\"", "[]", "{}",   "true", "99999999999999999999",
      ",",    "\"x\"", "2..3",  ":",    "\\", "[[[[", "0.5",  "\"2..2147483647\""};
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string forged = rest;
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % forged.size(), size = random() % 12;
      const std::string& piece = pieces[random() % pieces.size()];
      forged.replace(at, std::min(size, forged.size() - at),
                     i % 2 == 0 ? piece : std::string(1, static_cast<char>(random())));
    }
    const auto line = from_line(sealed(forged), plain_catalog());
    if (const auto* back = std::get_if<RunRecord>(&line)) {
      ++read;
      CHECK(back->run_id == run_id(back->config, plain_catalog()));
      CHECK(back->config.seed == record.config.seed);
    } else {
      CHECK_THAT(std::get<LineFault>(line).why, !ContainsSubstring("json.exception"));
    }
  }
  CHECK(read > 0);  // as an edited host or loss is
}

namespace {

// The line that earlier releases wrote for a run that has these options, and an id made from `identity_text`.
RunRecord read_former(const std::map<std::string, nlohmann::ordered_json>& options, const std::string& identity_text,
                      const std::vector<std::string>& lacking) {
  auto json = parsed(some_record(1));
  json["config"]["lr"] = 0.001;
  json["config"]["seed"] = 42;
  json["config"]["data_seed"] = 42;
  json["config"]["init_seed"] = 42;
  json.erase("steps_at");
  for (const auto& [name, value] : options) json["config"][name] = value;
  for (const std::string& name : lacking) CHECK(json["config"].erase(name) == 1);
  json["run_id"] = id_of(identity_text).substr(1);
  const RunRecord record = record_in(sealed(json));
  CHECK(record.run_id == id_of(identity_text));
  CHECK(record_in(to_line(record)).run_id == record.run_id);  // merged into another folder
  return record;
}

}  // namespace

TEST_CASE("ids that earlier releases made otherwise are those of their lines", "[results]") {
  // Before --log-every was part of a run of --steps, such a run was validated every epoch.
  const RunRecord steps = read_former({{"steps", 100}, {"epochs", 4}}, "steps=100\n", {"log_every", "revisions"});
  CHECK(steps.config.log_every == 32);  // 2,000 sequences in batches of 64
  // Before --eval-size was left out of runs that test nothing.
  read_former({{"eval_size", 500}}, "eval_size=500\n", {"log_every", "revisions"});
  // Before --val-size followed from --train-len.
  read_former({{"train_len", "2..700"}, {"seq_len", 700}, {"max_len", 700}, {"data", "online"}, {"val_size", 400}},
              "train_len=2..700\n", {"revisions"});
}

namespace {

// The fields of a line of CSV, RFC 4180.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> all(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("every published run is read from the line that its release wrote", "[results]") {
  int runs = 0;
  const std::filesystem::path data = std::filesystem::path(POSENC_SOURCE_DIR) / "docs/data";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> columns = fields_of(line);
    if (!line.starts_with("run_id,pos,")) continue;  // a row is not a run
    while (std::getline(file, line)) {
      const std::vector<std::string> values = fields_of(line);
      auto json = parsed(some_record(1));
      json["run_id"] = values[0];
      json["config"].clear();
      for (std::size_t i = 1; columns[i] != "status"; ++i) {
        const Field& field = **std::find_if(identity_fields().begin(), identity_fields().end(),
                                            [&](const Field* each) { return snake_case(each->name) == columns[i]; });
        json["config"][columns[i]] = json_value(parse_value(field.type, values[i], columns[i]));
      }
      INFO(entry.path() << ": " << line);
      const RunRecord record = record_in(sealed(json));
      const std::string digits = values[0].size() == 16 ? values[0] : values[0].substr(1);
      CHECK(record.run_id == "r" + digits);
      CHECK(record_in(to_line(record)).run_id == record.run_id);
      ++runs;
    }
  }
  CHECK(runs > 1000);
}
