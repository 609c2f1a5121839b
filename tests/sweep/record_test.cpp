#include "sweep/record.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "config/identity.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/some_record.h"

using namespace posenc;

namespace {

// CRC-32 (ISO-HDLC), bit by bit.
std::string crc_digits(const std::string& text) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", ~crc);
  return digits;
}

}  // namespace

TEST_CASE("a record is read back from its line to the last bit", "[sweep]") {
  const RunRecord record = some_record(7);
  const std::string line = to_line(record);
  CHECK(line.find('\n') == std::string::npos);
  const RunRecord back = from_line(line);
  CHECK(to_line(back) == line);
  CHECK(back.run_id == record.run_id);
  CHECK(run_id(back.config) == record.run_id);
  CHECK(back.config.lr == record.config.lr);
  REQUIRE(back.result.steps_at.size() == 1);
  CHECK(back.result.steps_at[0].length == 16);
  CHECK(back.result.steps_at[0].steps == 37);
  REQUIRE(back.result.epochs.size() == record.result.epochs.size());
  for (std::size_t i = 0; i < back.result.epochs.size(); ++i)
    CHECK(back.result.epochs[i].train_loss == record.result.epochs[i].train_loss);
}

TEST_CASE("a record keeps what was drawn and what bounds the accuracy", "[sweep]") {
  RunRecord record = some_record(2);
  const RunRecord back = from_line(to_line(record));
  CHECK(back.result.train_labels == record.result.train_labels);
  CHECK(back.result.val_labels == record.result.val_labels);
  REQUIRE(back.result.bounds);
  CHECK(back.result.bounds->ceiling == record.result.bounds->ceiling);
  CHECK(back.result.bounds->reason == "permutation");
  record.result.bounds->ceiling.reset();
  CHECK_FALSE(from_line(to_line(record)).result.bounds->ceiling);
  record.result.bounds.reset();
  CHECK_FALSE(from_line(to_line(record)).result.bounds);
}

TEST_CASE("the checksum is the CRC-32 of the line without it", "[sweep]") {
  REQUIRE(crc_digits("123456789") == "cbf43926");
  const std::string line = to_line(some_record(1));
  const auto json = nlohmann::ordered_json::parse(line);
  auto rest = json;
  rest.erase("crc");
  CHECK(json["crc"] == crc_digits(rest.dump()));
}

TEST_CASE("a diverged run has null where it has no number", "[sweep]") {
  RunRecord record = some_record(1);
  record.result.status = RunResult::Status::diverged;
  record.result.message = "the loss became nan in epoch 3";
  record.result.epochs.push_back({3, std::nan(""), std::nan("")});
  const auto json = nlohmann::json::parse(to_line(record));
  CHECK(json["curve"]["train_loss"].back().is_null());
  const RunRecord back = from_line(to_line(record));
  CHECK(back.result.status == RunResult::Status::diverged);
  CHECK(std::isnan(back.result.last().val_acc));
}

TEST_CASE("a line of a release without some option reads as that option's default", "[sweep]") {
  const RunRecord record = some_record(3);
  auto json = nlohmann::ordered_json::parse(to_line(record));
  json.erase("crc");
  for (const char* option :
       {"optimizer", "weight_decay", "momentum", "grad_clip", "schedule", "norm", "norm_eps", "bos"})
    CHECK(json["config"].erase(option) == 1);
  const std::string rest = json.dump();
  json["crc"] = crc_digits(rest);
  const RunRecord back = from_line(json.dump());
  CHECK(run_id(back.config) == record.run_id);
  CHECK(to_line(back) == to_line(record));
}

TEST_CASE("no damage to a line is taken for a result", "[sweep]") {
  const std::string line = to_line(some_record(1));
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string broken = line;
    if (i % 2 == 0) {
      broken[random() % broken.size()] ^= static_cast<char>(1 + random() % 255);
    } else {
      broken.resize(random() % broken.size());
    }
    CHECK_THROWS_AS(from_line(broken), Error);
  }
}

TEST_CASE("a line of another schema is refused as such, however whole it is", "[sweep]") {
  auto json = nlohmann::ordered_json::parse(to_line(some_record(1)));
  json.erase("crc");
  json["schema"] = 1;
  json["crc"] = crc_digits(json.dump());
  CHECK_THROWS_WITH(from_line(json.dump()), "results of another schema (given 1, allowed: 2)");
  CHECK_THROWS_AS(from_line("{}"), Error);
  CHECK_THROWS_AS(from_line(""), Error);
}
