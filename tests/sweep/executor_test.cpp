// The executor with a stand-in for training, so that what is tested is who runs when and what is kept.
#include "sweep/executor.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <set>
#include <thread>

#include "config/identity.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/limits.h"
#include "support/plain_catalog.h"
#include "support/small_catalog.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

const Catalog& test_catalog() {
  static const Catalog catalog = small_catalog();
  return catalog;
}

RunResult stand_in(const RunConfig& config, const RunObserver&, const std::string&) {
  RunResult result;
  result.epochs = {{1, 1.0 / static_cast<double>(config.seed + 1), 0.5}};
  return result;
}

struct Sweep {
  TemporaryFolder folder;
  Plan plan{{flags({{"seed", "0..19"}, {"pos", "free"}}), {}}, test_catalog()};
  std::vector<RunRecord> seen;

  SweepCounts run(
      const Runner& runner, ExecutorOptions options, std::function<bool()> stop = [] { return false; }) {
    Store store(folder.path("out"), plain_catalog());
    seen.clear();
    return execute(plan, plan.runs({}), store, options, runner, stop,
                   [&](const RunRecord& record, const SweepCounts&) { seen.push_back(record); });
  }
};

}  // namespace

TEST_CASE("all runs are kept, whatever the number of jobs", "[sweep]") {
  for (const std::int64_t jobs : {1, 3, 100}) {
    Sweep sweep;
    const SweepCounts counts = sweep.run(stand_in, {.jobs = jobs});
    CHECK((counts.finished == 20 && counts.total == 20 && counts.failed == 0));
    const Store store(sweep.folder.path("out"), plain_catalog());
    for (std::uint64_t i = 0; i < 20; ++i) {
      const RunRecord* record = store.find(run_id(sweep.plan.at(i), plain_catalog()));
      REQUIRE(record != nullptr);
      CHECK(record->result.last().train_loss == 1.0 / static_cast<double>(i + 1));
    }
  }
}

TEST_CASE("as many runs go on at once as there are jobs", "[sweep]") {
  std::atomic<int> now = 0, most = 0;
  Sweep sweep;
  sweep.run(
      [&](const RunConfig& config, const RunObserver& observer, const std::string& path) {
        most = std::max<int>(most, ++now);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --now;
        return stand_in(config, observer, path);
      },
      {.jobs = 3});
  CHECK(most == 3);
}

TEST_CASE("all runs are kept where the system starts no worker", "[sweep]") {
  Sweep sweep;
  std::filesystem::permissions(sweep.folder.path(), std::filesystem::perms::all);  // nobody appends to it
  CHECK(in_child([&] {
          Store store(sweep.folder.path("out"), plain_catalog());
          allow_no_more_threads();
          std::set<std::thread::id> threads;
          const SweepCounts counts = execute(
              sweep.plan, sweep.plan.runs({}), store, {.jobs = 3},
              [&](const RunConfig& config, const RunObserver& observer, const std::string& path) {
                threads.insert(std::this_thread::get_id());
                return stand_in(config, observer, path);
              },
              [] { return false; }, [](const RunRecord&, const SweepCounts&) {});
          return counts.finished == 20 && threads.size() == 1 ? 0 : 1;
        }) == 0);
}

TEST_CASE("the dearest run goes first", "[sweep]") {
  Sweep sweep;
  sweep.plan = Plan({flags({{"seq-len", "4,64,8,32"}, {"pos", "free"}}), {}}, test_catalog());
  sweep.run(stand_in, {.jobs = 1});
  std::vector<std::int64_t> lengths;
  for (const RunRecord& record : sweep.seen) lengths.push_back(record.config.seq_len);
  CHECK(lengths == std::vector<std::int64_t>{64, 32, 8, 4});
}

TEST_CASE("a run that throws or diverges is recorded and the others go on", "[sweep]") {
  Sweep sweep;
  const SweepCounts counts = sweep.run(
      [](const RunConfig& config, const RunObserver& observer, const std::string& path) {
        if (config.seed == 3) throw std::runtime_error("a tensor is too large\nback trace");
        if (config.seed == 4) throw Error("no such thing (given x)");
        RunResult result = stand_in(config, observer, path);
        if (config.seed == 5) result.status = RunResult::Status::diverged;
        return result;
      },
      {.jobs = 2});
  CHECK((counts.finished == 17 && counts.failed == 2 && counts.diverged == 1));
  for (const RunRecord& record : sweep.seen) {
    if (record.config.seed == 3) CHECK(record.result.message == "a tensor is too large");
    if (record.config.seed == 4) CHECK(record.result.message == "no such thing (given x)");
  }
}

TEST_CASE("fail-fast stops after the first failure", "[sweep]") {
  Sweep sweep;
  const SweepCounts counts = sweep.run(
      [](const RunConfig&, const RunObserver&, const std::string&) -> RunResult { throw std::runtime_error("x"); },
      {.jobs = 1, .fail_fast = true});
  CHECK(counts.failed == 1);
}

TEST_CASE("a run that takes too long is given up between its steps and keeps the epochs it had", "[sweep]") {
  Sweep sweep;
  const SweepCounts counts = sweep.run(
      [](const RunConfig& config, const RunObserver& observer, const std::string& path) {
        if (config.seed != 7) return stand_in(config, observer, path);
        observer.on_epoch({1, 0.5, 0.5});
        while (!observer.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        throw Error("interrupted", Error::Kind::interrupted);
      },
      {.jobs = 2, .timeout = 0.05});
  CHECK((counts.finished == 19 && counts.failed == 1));
  for (const RunRecord& record : sweep.seen)
    if (record.config.seed == 7) {
      CHECK(record.result.message == "took longer than --timeout-per-run 0.05 s");
      CHECK(record.result.epochs.size() == 1);
    }
}

TEST_CASE("when asked to stop, runs in flight are dropped and finished ones kept", "[sweep]") {
  Sweep sweep;
  std::atomic<int> begun = 0;
  const SweepCounts counts = sweep.run(
      [&](const RunConfig& config, const RunObserver& observer, const std::string& path) {
        ++begun;
        if (observer.stop_requested()) throw Error("interrupted", Error::Kind::interrupted);
        return stand_in(config, observer, path);
      },
      {.jobs = 1}, [&] { return begun >= 5; });
  CHECK(counts.finished == 4);
  CHECK(counts.failed == 0);
}

TEST_CASE("a result that cannot be kept ends the sweep with its error", "[sweep]") {
  Sweep sweep;
  Store store(sweep.folder.path("out"), plain_catalog());
  const auto stop = [] { return false; };
  CHECK_THROWS_WITH(execute(sweep.plan, sweep.plan.runs({}), store, {.jobs = 2}, stand_in, stop,
                            [](const RunRecord&, const SweepCounts&) { throw Error("the disk is full"); }),
                    "the disk is full");
}
