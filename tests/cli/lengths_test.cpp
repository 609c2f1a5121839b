// Train short, test long on the command line: what is printed and kept, and what is asked wrongly.
#include <fmt/format.h>

#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

const std::string kTiny = " --vocab 2 --train-size 128 --val-size 60 --eval-size 40";

// What was computed: the lines of runs.jsonl by run, without where and when.
std::map<std::string, nlohmann::json> results_in(const std::string& folder) {
  std::map<std::string, nlohmann::json> results;
  for (const std::string& line : lines(read_whole_file(folder + "/runs.jsonl"))) {
    auto json = nlohmann::json::parse(line);
    json.erase("execution");
    json.erase("crc");
    results[json["run_id"]] = json;
  }
  return results;
}

}  // namespace

TEST_CASE("after training every tested length has a line, and the score is their mean beyond training", "[cli]") {
  const TemporaryFolder folder;
  const std::string run = "--pos rope --train-len 2..6 --eval-len 12,4,8..10:2 --epochs 2" + kTiny;
  const Outcome outcome = posenc_command(run + " --out " + folder.path());
  CHECK(outcome.exit_code == 0);
  const auto shown = lines(outcome.data);
  REQUIRE(shown.size() == 6);
  CHECK_THAT(shown[1], StartsWith("[rope] Length    4 | Accuracy: ") && ContainsSubstring("| trained length"));
  CHECK_THAT(shown[4], StartsWith("[rope] Length   12 | Accuracy: ") && ContainsSubstring("| longer than trained"));

  const auto tested = results_in(folder.path()).begin()->second["lengths"];
  CHECK(tested["length"] == std::vector<int>{4, 8, 10, 12});
  CHECK(tested["trained"] == std::vector<bool>{true, false, false, false});
  double sum = 0;
  for (const int i : {1, 2, 3}) sum += tested["accuracy"][i].get<double>();
  CHECK_THAT(shown[5], StartsWith("[rope] Score: " + fmt::format("{:.4f}", sum / 3)));

  const auto rows = lines(read_whole_file(folder.path("lengths.csv")));
  CHECK_THAT(rows[0], StartsWith("run_id,length,accuracy,cross_entropy,calibration_error,margin,"));
  CHECK(rows.size() == 5);

  // The saved model gives the same answers, and others at other lengths.
  const std::string model = folder.path("models/") + results_in(folder.path()).begin()->first + ".pt";
  const auto again = lines(posenc_command("eval " + model).data);
  CHECK(std::vector(again.begin() + 1, again.end()) == std::vector(shown.begin() + 1, shown.end()));
  const auto longer = lines(posenc_command("eval " + model + " --eval-len 30 --json").data);
  REQUIRE(longer.size() == 3);
  CHECK(nlohmann::json::parse(longer[1])["length"] == 30);
  CHECK(nlohmann::json::parse(longer[2])["longest_trained"] == 6);
  CHECK(nlohmann::json::parse(longer[2])["score"] == nlohmann::json::parse(longer[1])["accuracy"]);
  // A flag for one length stands in place of the trained ones, and tokens may be of any length.
  CHECK_THAT(posenc_command("eval " + model + " --seq-len 9").data, StartsWith("Val Acc: "));
  CHECK_THAT(posenc_command("predict " + model + " --tokens 0,1,1,0,1,0,0,1,1").data, StartsWith("class "));
  CHECK(posenc_command("attention " + model + " --tokens 0,1,1").exit_code == 0);
}

TEST_CASE("what config prints of a run over lengths and steps is read back as the same run", "[cli]") {
  const TemporaryFolder folder;
  const std::string options = "--pos rope --train-len 2..9 --curriculum increase:by=2 --steps 70 --eval-len 4,12";
  const Outcome printed = posenc_command("config " + options);
  CHECK_THAT(printed.data, ContainsSubstring("# seq-len = 9 ") && ContainsSubstring("# follows from train-len"));
  const std::string file = folder.file("run.toml", printed.data);
  const auto values = [](const std::string& arguments) {
    std::map<std::string, nlohmann::json> all;
    const auto json = nlohmann::json::parse(posenc_command("config --json " + arguments).data);
    for (const auto& [name, field] : json.items()) all[name] = field["value"];
    return all;
  };
  CHECK(values("--config " + file) == values(options));
  // A flag beats the file also where it says the same in other words.
  const auto one_length = values("--config " + file + " --seq-len 7 --epochs 3");
  CHECK(one_length.at("train-len") == "");
  CHECK(one_length.at("curriculum") == "uniform");
  CHECK(one_length.at("steps") == 0);
  const std::string fixed = folder.file("fixed.toml", "seq-len = 12\nepochs = 4\n");
  CHECK(values("--config " + fixed + " --train-len 2..6").at("seq-len") == 6);
  refused("--config " + folder.file("both.toml", "seq-len = 12\ntrain-len = \"2..6\"\n"), "say the same in two ways");
}

TEST_CASE("batch 1,000 of seed 7 is what sample shows, whatever encoding and model are trained on it", "[cli]") {
  const std::string options = "sample --data online --seed 7 --step 1000 --seq-len 5 --vocab 10 --json";
  const auto shown = lines(posenc_command(options).data);
  REQUIRE(shown.size() == 64);
  std::int64_t hash = 0;
  for (const std::string& line : shown) {
    const auto tokens = nlohmann::json::parse(line)["tokens"].get<std::vector<std::int64_t>>();
    for (const std::int64_t token : tokens) hash = (hash * 31 + token) % 1000003;
  }
  CHECK(hash == 995437);  // pinned in tests/training/run_data_test.cpp
  for (const char* other : {" --pos t5 --d-model 64", " --seeding paired --init-seed 3", " --causal --layers 2"})
    CHECK(lines(posenc_command(options + other).data) == shown);
  CHECK(lines(posenc_command(options + " --data-seed 8 --seeding paired").data) != shown);
  CHECK(lines(posenc_command(options + " --n 3").data) == std::vector(shown.begin(), shown.begin() + 3));
  CHECK(lines(posenc_command("sample --data online --seed 7 --train-size 100 --step 1").data).size() == 36);
}

TEST_CASE("runs on fresh data do not depend on the jobs, nor on how often the sweep was killed", "[cli]") {
  const TemporaryFolder folder;
  const std::string sweep =
      "sweep --pos none,rope,learnable --seed 0..3 --train-len 2..9 --curriculum uniform,increase:every=5 "
      "--eval-len 4,9,16 --oob clamp --steps 60 --holdout-pairs 0.25" +
      kTiny;
  const auto in = [&](const std::string& name, const std::string& more) {
    return words(sweep + more + " --out " + folder.path(name));
  };
  CHECK(posenc_command(in("one", " --jobs 1")).exit_code == 0);
  CHECK(posenc_command(in("three", " --jobs 3")).exit_code == 0);
  for (int i = 0; i < 4; ++i) {
    Process process(in("killed", " --jobs 2"));
    usleep(static_cast<useconds_t>(300'000 + 60'000 * i));
    process.signal(SIGKILL);
    process.wait();
  }
  CHECK(posenc_command(in("killed", " --jobs 2")).exit_code == 0);
  const auto one = results_in(folder.path("one"));
  CHECK(one.size() == 24);
  CHECK(results_in(folder.path("three")) == one);
  CHECK(results_in(folder.path("killed")) == one);
}

TEST_CASE("a tested length beyond a table is refused before training unless --oob says what to do", "[cli]") {
  refused("--pos learnable --seq-len 8 --eval-len 8,9", "allowed: up to 8, or --oob clamp, interpolate, untrained");
  refused("--pos learnable+offset:max=32 --max-len 32 --eval-len 64", "(given 64, allowed: up to 32");
  refused("--pos learnable --bos --max-len 40 --seq-len 8 --eval-len 40 --oob untrained",
          "(given 40, allowed: up to 39");
  refused("--pos fixed+random:max=24 --bos --seq-len 8 --eval-len 24", "(given 24, allowed: up to 23, its max");
  refused("--pos fixed+random:max=32 --eval-len 64", "(given 64, allowed: up to 32, its max)");
  const std::string run = "--pos learnable --seq-len 8 --eval-len 8,24 --epochs 0 --json" + kTiny;
  for (const char* policy : {"clamp", "interpolate", "untrained"}) {
    const Outcome outcome = posenc_command(run + " --oob " + policy);
    CHECK(outcome.exit_code == 0);
    CHECK(nlohmann::json::parse(lines(outcome.data)[2])["untrained_positions"] ==
          (std::string(policy) == "untrained" ? 16 : 0));
  }
  CHECK(posenc_command("--pos rope --seq-len 8 --eval-len 24 --epochs 0" + kTiny).exit_code == 0);
}

TEST_CASE("a saved model is asked about positions beyond its table as --oob says", "[cli]") {
  const TemporaryFolder folder;
  REQUIRE(posenc_command("--pos learnable --train-len 2..5 --steps 60 --out " + folder.path() + kTiny).exit_code == 0);
  const std::string model = folder.path("models/") + results_in(folder.path()).begin()->first + ".pt";
  const std::string longer = " --tokens 0,1,1,0,1,0,0";
  refused("predict " + model + longer, "(given 7, allowed: up to 5, or --oob clamp, interpolate)");
  refused("attention " + model + longer, "(given 7, allowed: up to 5, or --oob clamp, interpolate)");
  refused("eval " + model + " --eval-len 7", "(given 7, allowed: up to 5, or --oob clamp, interpolate)");
  refused("eval " + model + " --eval-len 7 --oob untrained",
          "(given 7, allowed: up to 5, which is --max-len, or --oob clamp, interpolate)");
  std::set<std::string> answers;
  for (const char* policy : {" --oob clamp", " --oob interpolate"}) {
    const Outcome predicted = posenc_command("predict " + model + longer + policy);
    CHECK(predicted.exit_code == 0);
    answers.insert(predicted.data);
    CHECK(posenc_command("attention " + model + longer + policy).exit_code == 0);
    CHECK(posenc_command("eval " + model + " --eval-len 7" + policy).exit_code == 0);
  }
  CHECK(answers.size() == 2);
}

TEST_CASE("a model that was tested beyond its table is asked about short sequences, and about long ones as it was",
          "[cli]") {
  const TemporaryFolder folder;
  const std::string run = "--pos learnable --max-len 9 --seq-len 5 --epochs 1 --eval-len 20 --oob clamp --out ";
  REQUIRE(posenc_command(run + folder.path() + kTiny).exit_code == 0);
  const std::string model = folder.path("models/") + results_in(folder.path()).begin()->first + ".pt";
  CHECK(posenc_command("predict " + model + " --oob error --tokens 0,1,1").exit_code == 0);
  CHECK(posenc_command("predict " + model + " --tokens 0,1,1,0,0,1,1,0,0,1,1").exit_code == 0);
  // Rows 5 to 8 are there, but training never had them.
  refused("predict " + model + " --oob error --tokens 0,1,1,0,0,1,1",
          "the sequence goes beyond the positions that the table of learnable is trained for (given 7, allowed: up to "
          "5, or --oob clamp, interpolate, untrained)");
  CHECK(posenc_command("predict " + model + " --oob untrained --tokens 0,1,1,0,0,1,1").exit_code == 0);
}

TEST_CASE("a model without some pairs is not tested on others than those", "[cli]") {
  const TemporaryFolder folder;
  const std::string run = "--pos rope --seq-len 4 --holdout-pairs 0.25 --seed 5 --epochs 1 --vocab 4 --out ";
  REQUIRE(posenc_command(run + folder.path() + " --train-size 64 --val-size 40").exit_code == 0);
  const std::string model = folder.path("models/") + results_in(folder.path()).begin()->first + ".pt";
  CHECK(posenc_command("eval " + model).exit_code == 0);
  refused("eval " + model + " --seed 6",
          "holds out other pairs, and this model was trained on them (given 6, allowed: 5)");
}

TEST_CASE("under --steps a line comes every so many of them, and at the last", "[cli]") {
  const auto shown = lines(posenc_command("--steps 25 --log-every 10 --seq-len 4 --data online" + kTiny).data);
  REQUIRE(shown.size() == 3);
  CHECK_THAT(shown[0], StartsWith("[learnable] Step   10 | "));
  CHECK_THAT(shown[1], StartsWith("[learnable] Step   20 | "));
  CHECK_THAT(shown[2], StartsWith("[learnable] Step   25 | "));
  const auto json = lines(posenc_command("--steps 25 --log-every 10 --seq-len 4 --json" + kTiny).data);
  CHECK(nlohmann::json::parse(json[2])["step"] == 25);
  // It decides what is computed, and is part of what a run is; of epochs it only chooses those that are shown.
  const auto folder_of = [](const std::string& options) {
    const TemporaryFolder folder;
    posenc_command(options + kTiny + " --seq-len 4 --out " + folder.path());
    return results_in(folder.path()).begin()->first;
  };
  CHECK(folder_of("--steps 4 --log-every 1") != folder_of("--steps 4"));
  CHECK(folder_of("--epochs 1 --log-every 1") == folder_of("--epochs 1"));
}

TEST_CASE("lengths of training that are none are refused in one line", "[cli]") {
  refused("--train-len 5..2", "--train-len: a range falls (given '5..2'");
  refused("--train-len 5", "--train-len is not a range of lengths (given '5'");
  refused("--train-len 1..4", "--train-len is out of range (given '1'");
  refused("--train-len 3..9:0", "the step of 3..9:0 is out of range (given '0'");
  refused("--train-len 2..8 --seq-len 8", "--train-len and --seq-len say the same in two ways (given 2..8 and 8");
  refused("--train-len 2..8 --data fixed", "(given fixed with --train-len 2..8, allowed: online)");
  refused("--task kth:k=5 --train-len 2..8", "(given 2..8, allowed: 5 or more)");
  refused("--task modular-arithmetic --train-len 3..8", "allowed: 3 or more, odd ones alone, as 3..41:2");
  refused("--task modular-arithmetic --eval-len 8", "(given 8, allowed: 3 or more, odd ones alone)");
  const Outcome odd =
      posenc_command("--pos rope --task modular-arithmetic --train-len 3..8:2 --eval-len 7,9 --epochs 1");
  CHECK(odd.exit_code == 0);
  CHECK_THAT(odd.data, ContainsSubstring("Length    7 | ") && ContainsSubstring("longer than trained"));
}

TEST_CASE("curricula that are none are refused with what there is", "[cli]") {
  refused("--curriculum increase", "--curriculum needs lengths to choose from (given increase, add --train-len");
  const std::string lengths = "--train-len 2..8 --curriculum ";
  refused(lengths + "increse", "(given 'increse', known: uniform, increase, reverse-exponential, on-success, nearest");
  refused(lengths + "increase:by=0", "increase:by is out of range (given '0', allowed: integer 1..");
  refused(lengths + "increase:bye=1", "unknown parameter of increase (given 'bye', known: by, every, nearest: by)");
  refused(lengths + "reverse-exponential:tau=1", "tau is out of range (given '1', allowed: number in (0, 1))");
  refused(lengths + "reverse-exponential:tau=nan", "(given 'nan'");
  refused(lengths + "on-success:threshold=1.5", "threshold is out of range (given '1.5', allowed: number in (0, 1])");
}

TEST_CASE("what says a thing twice, or leaves nothing to train or to test on, is refused", "[cli]") {
  refused("--epochs 3 --steps 10", "--steps and --epochs say the same in two ways (given 10 and 3");
  refused("--holdout-pairs 1.0", "--holdout-pairs is out of range (given '1.0', allowed: number in [0, 1))");
  refused("--holdout-pairs 0.2 --vocab 2",
          "--holdout-pairs holds out 0.8 of 4 pairs (given 0.2, allowed: from 0.25, below 0.875)");
  refused("--holdout-pairs 0.9 --vocab 2",
          "--holdout-pairs holds out 3.6 of 4 pairs (given 0.9, allowed: from 0.25, below 0.875)");
  refused("--val-size 3 --train-len 2..20", "(given 3 for 19 lengths, allowed: integer >= 19)");
  refused("--grad-clip 1e39", "--grad-clip is out of range (given '1e39'");
  refused("--pos learnable --max-len 4 --train-len 2..6", "--train-len is longer than the position table of learnable");
  refused("--eval-len 8,x", "--eval-len is not an integer (given 'x'");
  refused("--eval-len 8,1", "--eval-len is out of range (given '1'");
  refused("--eval-len 2..9999", "--eval-len has too many lengths");
  refused("--eval-size 0", "--eval-size is out of range (given '0'");
  refused("--pos rope --eval-len 1000000", "the run needs about");
  refused("sample --step 3", "(given with --data fixed, allowed: online)");
  refused("sample --step -1 --data online", "--step is out of range (given '-1'");
  refused("sample --step 3 --train-len 2..8 --curriculum on-success", "(given with --curriculum on-success)");
  refused("--oob clmp", "(given 'clmp', allowed: error, clamp, interpolate, untrained, nearest: clamp)");
  refused("--optimizer adamx", "(given 'adamx', allowed: adam, adamw, sgd, nearest: adam)");
  refused("--momentum 0.5", "--momentum is of sgd alone");
  refused("--schedule cosine:warmup=100 --steps 10", "(given warmup=100, allowed: 0..10)");
}

TEST_CASE("lists of tested lengths are swept between semicolons, or as arrays of arrays", "[cli]") {
  const TemporaryFolder folder;
  const auto dry = [&](const std::string& toml) {
    return posenc_command({"sweep", "--config", folder.file("s.toml", "pos = \"rope\"\n" + toml), "--dry-run"});
  };
  CHECK_THAT(dry("eval-len = [[8,16],[32]]\n").data, StartsWith("2 runs"));
  CHECK_THAT(dry("eval-len = [8,16]\n").data, StartsWith("1 run"));
  CHECK_THAT(dry("eval-len = 8\n").data, StartsWith("1 run"));
  CHECK_THAT(dry("steps = 40\nlog-every = [10, 20]\n").data, StartsWith("2 runs"));
  CHECK(posenc_command({"config", "--config", folder.file("one.toml", "pos = \"rope\"\neval-len = 8\n")}).exit_code ==
        0);
  for (const char* wrong :
       {"[[8, 16], 32]", "[\"8,16\", \"32\"]", "[8, [16]]", "[[8, [16]]]", "[1.5]", "[[]]", "true"}) {
    INFO(wrong);
    const Outcome outcome = dry(std::string("eval-len = ") + wrong + "\n");
    CHECK(outcome.exit_code == 2);
    CHECK(lines(outcome.talk).size() == 1);
    CHECK_THAT(outcome.talk, ContainsSubstring("eval-len"));
  }
}
