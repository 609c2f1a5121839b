// What release 0.1 wrote is still the same run, the same result and the same model: tests/golden/run_ids.txt has the ids
// that it gave to 1,000 random configurations, tests/golden/results-0.1 the results of
//   posenc sweep --pos learnable,fire,rope+random:max=32,xl --seed 1,2 --d-model 8 --heads 2 --ffn 8 --vocab 4
//     --train-size 32 --val-size 16 --epochs 3 --seq-len 6 --eval-len 6,12 --eval-size 50 --seeding paired --oob clamp
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "base/files.h"
#include "config/identity.h"
#include "config/resolve.h"
#include "posenc/catalog.h"
#include "results/stored_runs.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"

using namespace posenc;
namespace fs = std::filesystem;

namespace {

const std::string kGolden = std::string(POSENC_SOURCE_DIR) + "/tests/golden/";
const std::string kSweep =
    "sweep --pos learnable,fire,rope+random:max=32,xl --seed 1,2 --d-model 8 --heads 2 --ffn 8 --vocab 4 --train-size "
    "32 "
    "--val-size 16 --epochs 3 --seq-len 6 --eval-len 6,12 --eval-size 50 --seeding paired --oob clamp --jobs 1 --out ";

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(2);
    const bool is_flag = i + 1 == arguments.size() || arguments[i + 1].starts_with("--");
    settings[name] = {is_flag ? "true" : arguments[++i], {}};
  }
  return settings;
}

// A copy that posenc may write to.
std::string stored_results(const TemporaryFolder& folder) {
  fs::copy(kGolden + "results-0.1", folder.path("old"), fs::copy_options::recursive);
  return folder.path("old");
}

}  // namespace

TEST_CASE("1,000 configurations have the run ids that release 0.1 gave them", "[cli]") {
  const std::vector<std::string> ids = lines(read_whole_file(kGolden + "run_ids.txt"));
  REQUIRE(ids.size() == 1000);
  for (const std::string& line : ids) {
    std::vector<std::string> arguments = words(line);
    const std::string id = arguments.front();
    arguments.erase(arguments.begin());
    INFO(line);
    CHECK(run_id(resolve(settings_of(arguments), catalog()).config, catalog()) == id);
  }
}

TEST_CASE("results of release 0.1 are resumed without training, and stay as they are", "[cli]") {
  const TemporaryFolder folder;
  const std::string old = stored_results(folder), before = read_whole_file(old + "/runs.jsonl");
  const Outcome resumed = posenc_command(kSweep + old);
  CHECK(resumed.exit_code == 0);
  CHECK_THAT(resumed.talk, Catch::Matchers::Contains("8 of 8 runs are done already"));
  CHECK(read_whole_file(old + "/runs.jsonl") == before);
  for (const char* name : {"/runs.csv", "/epochs.csv", "/lengths.csv"})
    CHECK(read_whole_file(old + name) == read_whole_file(kGolden + "results-0.1" + name));
}

TEST_CASE("results of release 0.1 are reported, and their models give the accuracies that are stored", "[cli]") {
  const TemporaryFolder folder;
  const std::string old = stored_results(folder);
  const Outcome report = posenc_command("report " + old);
  CHECK(report.exit_code == 0);
  for (const char* pos : {"learnable", "fire", "rope+random:max=32", "xl"})
    CHECK_THAT(report.data, Catch::Matchers::Contains(pos));
  const std::vector<RunRecord> records = read_runs(old, catalog()).records.take();
  REQUIRE(records.size() == 8);
  for (const RunRecord& record : records) {
    const Outcome evaluated = posenc_command("eval --json " + old + "/models/" + record.run_id + ".pt");
    INFO(record.config.pos << evaluated.data << evaluated.talk);
    CHECK(evaluated.exit_code == 0);
    CHECK_THAT(evaluated.data, Catch::Matchers::Contains(fmt::format("\"val_acc\":{}", record.result.last().val_acc)));
  }
}

TEST_CASE("the runs of release 0.1 give the same results today", "[cli]") {
  const TemporaryFolder folder;
  const std::string fresh = folder.path("fresh");
  REQUIRE(posenc_command(kSweep + fresh).exit_code == 0);
  const auto before = read_runs(kGolden + "results-0.1", catalog()).records.take(),
             now = read_runs(fresh, catalog()).records.take();
  REQUIRE(now.size() == before.size());
  // Another instruction set rounds otherwise.
  const bool same_engine = now.front().execution.engine == before.front().execution.engine;
  if (same_engine) CHECK(posenc_command("diff " + kGolden + "results-0.1 " + fresh).exit_code == 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    INFO(now[i].config.pos);
    CHECK(now[i].run_id == before[i].run_id);
    for (std::size_t epoch = 0; epoch < 3; ++epoch)
      CHECK(now[i].result.epochs[epoch].train_loss ==
            Catch::Detail::Approx(before[i].result.epochs[epoch].train_loss).epsilon(1e-6));
  }
}
