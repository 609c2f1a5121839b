// posenc inspect: the numbers of an encoding, in every form.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "posenc/catalog.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

nlohmann::json inspected(const std::string& arguments) {
  const Outcome outcome = posenc_command("inspect --json " + arguments);
  INFO(outcome.talk);
  REQUIRE(outcome.exit_code == 0);
  return nlohmann::json::parse(outcome.data);
}

}  // namespace

TEST_CASE("inspect shows alibi's bias as the paper has it", "[cli]") {
  const auto seen = inspected("--pos alibi --seq-len 64 --heads 8");
  REQUIRE(seen["bias"].size() == 8);
  for (std::size_t h = 0; h < 8; ++h)
    for (int i : {0, 5, 63})
      for (int j : {0, 7, 63})
        CHECK(seen["bias"][h][i][j].get<double>() == Approx(-std::exp2(-double(h + 1)) * std::abs(i - j)).margin(1e-6));
  CHECK_FALSE(seen.contains("table"));
  CHECK_FALSE(seen.contains("tokens"));
  const auto causal = inspected("--pos alibi --seq-len 4 --causal");
  CHECK(causal["bias"][0][0][1].is_null());
  CHECK(causal["bias"][0][1][0].is_number());
}

TEST_CASE("inspect shows fixed's table, rope's angles and t5's buckets", "[cli]") {
  const auto fixed = inspected("--pos fixed --seq-len 10");
  REQUIRE(fixed["table"].size() == 10);
  REQUIRE(fixed["table"][9].size() == 32);
  CHECK(fixed["table"][9][0].get<double>() == Approx(std::sin(9.0)));
  CHECK(fixed["table"][9][3].get<double>() == Approx(std::cos(9.0 * std::pow(10000.0, -2.0 / 32))));
  const auto rope = inspected("--pos rope:base=100 --seq-len 12");
  REQUIRE(rope["angles"].size() == 12);
  REQUIRE(rope["angles"][11].size() == 4);
  CHECK(rope["angles"][11][3].get<double>() == Approx(11.0 * std::pow(100.0, -0.75)));
  const auto t5 = inspected("--pos t5 --seq-len 40");
  CHECK(t5["buckets"][0][7] == 23);
  CHECK(t5["buckets"][39][0] == 12);  // of 39 tokens: 8 + floor(8 ln(39/8) / ln 16)
  CHECK(t5["bias"][2][0][7] == t5["bias"][2][1][8]);
  CHECK(t5["trained_numbers"] == 128);
}

TEST_CASE("inspect shows the tokens that a bias depends on", "[cli]") {
  for (const char* pos : {"relative", "xl", "fox"}) {
    const auto seen = inspected(std::string("--seq-len 8 --vocab 5 --pos ") + pos);
    CHECK(seen["tokens"].size() == 8);
    CHECK(seen["bias"][0].size() == 8);
  }
  CHECK(inspected("--pos cope --causal")["bias"].size() == 4);
}

TEST_CASE("inspect shows what wrappers do", "[cli]") {
  const auto seen = inspected("--pos fixed+random:max=500+logn --seq-len 8");
  const auto positions = seen["positions"].get<std::vector<int>>();
  CHECK(positions.back() > 7);
  CHECK(seen["table"][7][0].get<double>() == Approx(std::sin(double(positions.back()))).margin(1e-4));
  CHECK(seen["score_factor"].get<double>() == Approx(std::log(8.0)));
}

TEST_CASE("inspect works for every encoding, in every form", "[cli]") {
  const TemporaryFolder folder;
  for (const EncodingEntry& entry : catalog().encodings) {
    INFO(entry.name);
    const std::string choice = "--pos " + entry.name + (entry.causal_only ? " --causal" : "") + " --seq-len 6";
    CHECK(posenc_command("inspect " + choice).exit_code == 0);
    const auto seen = inspected(choice);
    const bool shows =
        seen.contains("table") || seen.contains("angles") || seen.contains("bias") || seen.contains("buckets");
    for (const char* kind : {".svg", ".csv"}) {
      const std::string path = folder.path(entry.name + kind);
      const Outcome saved = posenc_command("inspect " + choice + " --save " + path);
      CHECK(saved.exit_code == (shows ? 0 : 2));
      CHECK(saved.data == "");
      CHECK(std::filesystem::exists(path) == shows);
    }
    CHECK(inspected(choice)["positions"] == std::vector<int>{0, 1, 2, 3, 4, 5});
  }
}

TEST_CASE("inspect shows a saved model's weights", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("run");
  REQUIRE(
      posenc_command("--pos learnable --seq-len 4 --train-size 50 --val-size 10 --epochs 1 --out " + out).exit_code ==
      0);
  const auto model = std::filesystem::directory_iterator(out + "/models")->path().string();
  const auto trained = inspected("--model " + model), fresh = inspected("--pos learnable --seq-len 4");
  REQUIRE(trained["table"].size() == 4);  // the length is the model's, from its folder
  CHECK(trained["table"] != fresh["table"]);
  for (int p = 0; p < 4; ++p)
    CHECK(trained["table"][p][0].get<double>() == Approx(fresh["table"][p][0].get<double>()).margin(0.1));
}

TEST_CASE("a saved model's other data are those of --seed, without more being said", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("run");
  REQUIRE(posenc_command("--pos t5 --seq-len 4 --train-size 50 --val-size 10 --epochs 1 --out " + out).exit_code == 0);
  const auto model = std::filesystem::directory_iterator(out + "/models")->path().string();
  CHECK(posenc_command("inspect --seed 3 --model " + model).exit_code == 0);
  CHECK(posenc_command("eval --seed 3 " + model).exit_code == 0);
}

TEST_CASE("what inspect is asked wrongly is said in a line, and nothing is written", "[cli]") {
  const TemporaryFolder folder;
  refused("inspect --save " + folder.path("a.png"), "allowed: FILE.csv, FILE.svg");
  refused("inspect --layer 1", "--layer: no such layer (given 1, allowed: 0..0)");
  refused("inspect --layer x", "--layer is not an integer");
  refused("inspect --pos rope --d-model 20", "rope needs an even head width");
  CHECK(posenc_command("inspect --model " + folder.path("none.pt")).exit_code != 0);
  CHECK(posenc_command("inspect --save " + folder.path("no/a.csv")).exit_code == 1);
  CHECK(std::filesystem::is_empty(folder.path()));
}
