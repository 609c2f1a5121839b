// posenc sweep and merge, end to end.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "posenc/catalog.h"
#include "results/store.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

constexpr const char* kSweep =
    "sweep --pos learnable,fixed --seq-len 4,6 --seed 0..2 --vocab 4 --train-size 128 --val-size 40 --epochs 40 "
    "--seeding paired ";

Outcome sweep(const std::string& out, const std::string& more = "") {
  auto arguments = words(kSweep + more);
  arguments.insert(arguments.end(), {"--out", out});
  return posenc_command(arguments);
}

}  // namespace

TEST_CASE("a sweep's results do not depend on the number of jobs", "[cli]") {
  const TemporaryFolder folder;
  const Outcome one = sweep(folder.path("one"), "--jobs 1"), three = sweep(folder.path("three"), "--jobs 3");
  CHECK(one.exit_code == 0);
  CHECK(one.data == "12 of 12 runs finished, 0 diverged, 0 failed, 0 not run; results in " + folder.path("one") + "\n");
  CHECK(read_whole_file(folder.path("one/epochs.csv")) == read_whole_file(folder.path("three/epochs.csv")));
  CHECK(three.exit_code == 0);
}

TEST_CASE("a sweep's run is the run that posenc itself makes", "[cli]") {
  const TemporaryFolder folder;
  sweep(folder.path("all"));
  auto arguments = words(
      "--pos fixed --seq-len 6 --seed 1 --vocab 4 --train-size 128 --val-size 40 --epochs 40 --seeding paired --out");
  arguments.push_back(folder.path("one"));
  CHECK(posenc_command(arguments).exit_code == 0);
  const std::string alone = read_whole_file(folder.path("one/epochs.csv"));
  CHECK_THAT(read_whole_file(folder.path("all/epochs.csv")), ContainsSubstring(alone.substr(alone.find('\n') + 1)));
}

TEST_CASE("what is done is not done again", "[cli]") {
  const TemporaryFolder folder;
  sweep(folder.path("out"), "--max-runs 5");
  const std::string first = read_whole_file(folder.path("out/runs.jsonl"));
  CHECK(lines(first).size() == 5);
  const Outcome second = sweep(folder.path("out"));
  CHECK_THAT(second.talk, ContainsSubstring("5 of 12 runs are done already"));
  const std::string all = read_whole_file(folder.path("out/runs.jsonl"));
  CHECK(all.starts_with(first));
  CHECK(lines(all).size() == 12);
  const Outcome wider = sweep(folder.path("out"), "--ffn 32,64");
  CHECK_THAT(wider.talk, ContainsSubstring("defined differently") && ContainsSubstring("12 of 24 runs are done"));
}

TEST_CASE("shards that are merged are the whole", "[cli]") {
  const TemporaryFolder folder;
  sweep(folder.path("whole"));
  std::vector<std::string> arguments = {"merge"};
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    arguments.push_back(folder.path(std::string("shard") + shard[0]));
    CHECK(sweep(arguments.back(), std::string("--shard ") + shard).exit_code == 0);
  }
  arguments.insert(arguments.end(), {"--out", folder.path("merged")});
  CHECK(posenc_command(arguments).exit_code == 0);
  sweep(folder.path("merged"));  // runs nothing, writes the exports in the order of the plan
  CHECK(read_whole_file(folder.path("merged/epochs.csv")) == read_whole_file(folder.path("whole/epochs.csv")));
  CHECK(lines(read_whole_file(folder.path("merged/runs.jsonl"))).size() == 12);
}

TEST_CASE("a sweep that is killed at any moment is completed by repeating it", "[cli]") {
  const TemporaryFolder folder;
  sweep(folder.path("undisturbed"));
  auto arguments = words(kSweep);
  arguments.insert(arguments.end(), {"--jobs", "2", "--out", folder.path("out")});
  for (int i = 0; i < 5; ++i) {
    Process process(arguments);
    usleep(static_cast<useconds_t>(300'000 + 50'000 * i));
    process.signal(SIGKILL);
    process.wait();
  }
  CHECK(sweep(folder.path("out")).exit_code == 0);
  CHECK(read_whole_file(folder.path("out/epochs.csv")) == read_whole_file(folder.path("undisturbed/epochs.csv")));
}

TEST_CASE("a signal drops the runs in flight and exits as signals do", "[cli]") {
  for (const auto& [number, exit_code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    const TemporaryFolder folder;
    auto arguments = words("sweep --seed 0..9 --train-size 640 --epochs 150 --jobs 2 --out");
    arguments.push_back(folder.path("out"));
    Process process(arguments);
    usleep(1'200'000);
    process.signal(number);
    CHECK(process.wait() == exit_code);
    if (std::filesystem::exists(folder.path("out"))) CHECK(Store(folder.path("out"), catalog()).damage().empty());
  }
}

TEST_CASE("a run that takes too long is a failure, which can be tried again", "[cli]") {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& more) {
    auto arguments = words("sweep --seed 0,1 --train-size 64 --val-size 8 --epochs 1000,1 " + more + " --out");
    arguments.push_back(folder.path("out"));
    return posenc_command(arguments);
  };
  const Outcome first = with("--timeout-per-run 0.1");
  CHECK(first.exit_code == 1);
  CHECK_THAT(first.data, ContainsSubstring("2 of 4 runs finished, 0 diverged, 2 failed"));
  CHECK(with("").exit_code == 1);  // not tried again unless asked
  CHECK(with("--retry-failed").exit_code == 0);
}

TEST_CASE("a sweep that is finished names no time that is left", "[cli]") {
  const TemporaryFolder folder;
  auto arguments = words("sweep --seed 0..3 --train-size 64 --val-size 8 --epochs 1 --out");
  arguments.push_back(folder.path("out"));
  const Outcome outcome = posenc_command(arguments);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.talk, ContainsSubstring("4/4 runs") && !ContainsSubstring(" left"));
}

TEST_CASE("a plan is one object a run and trains nothing", "[cli]") {
  const Outcome outcome = posenc_command(std::string(kSweep) + "--plan");
  CHECK(outcome.exit_code == 0);
  const auto rows = lines(outcome.data);
  REQUIRE(rows.size() == 12);
  CHECK(nlohmann::json::parse(rows[11])["config"]["pos"] == "fixed");
  CHECK(nlohmann::json::parse(rows[11])["config"]["seed"] == 2);
  const Outcome dry = posenc_command(std::string(kSweep) + "--dry-run");
  CHECK_THAT(dry.data, StartsWith("12 runs of a grid of 12\nfirst: pos=learnable, seq-len=4, seed=0\nlast: pos=fixed, "
                                  "seq-len=6, seed=2\nabout "));
}

TEST_CASE("what is no sweep is one line and exit 2", "[cli]") {
  refused("sweep --seed 0..3", "a sweep needs a folder for its results");
  refused("sweep --seed 5..1 --out /nowhere/x", "--seed: a range falls (given '5..1'");
  refused("sweep --seed 1,1 --out /nowhere/x", "--seed: a value stands twice");
  refused("sweep --pos a..b --out /nowhere/x", "unknown encoding (given 'a..b'");
  refused("sweep --heads 4,5 --out /nowhere/x", "[in the run heads=5]");
  refused("sweep --shard 0/3 --out /nowhere/x", "--shard is not I/N (given '0/3'");
  refused("sweep --shard 4/3 --out /nowhere/x", "--shard is not I/N (given '4/3'");
  refused("sweep --jobs 0 --out /nowhere/x", "--jobs is out of range");
  refused("sweep --timeout-per-run 0 --out /nowhere/x", "--timeout-per-run is out of range");
  refused("sweep --expect-val-acc 1 --out /nowhere/x", "sweep does not read this option");
  refused("sweep --data-seed 1,2 --out /nowhere/x", "--data-seed needs --seeding paired");
  refused("merge --out /nowhere/x", "no folder is named");
  refused("merge /nowhere/y --out /nowhere/x", "not a folder of results");
  const TemporaryFolder folder;
  const std::string file = folder.file("s.toml", "seed = \"0..3\"\n[[exclude]]\nseed = \"0..3\"\n");
  refused("sweep --config " + file + " --out /nowhere/x", "no runs");
  refused("--config " + file, "is for a sweep (write: posenc sweep --config " + file + ")");
}
