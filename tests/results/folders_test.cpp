#include "results/folders.h"

#include <cmath>
#include <filesystem>

#include "posenc/error.h"
#include "results/difference.h"
#include "support/catch.h"
#include "support/forged_line.h"
#include "support/plain_catalog.h"
#include "support/some_runs.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

void write_folder(const TemporaryFolder& folder, const std::string& name, const std::vector<RunRecord>& runs,
                  const std::string& more = "") {
  std::filesystem::create_directories(folder.path(name));
  std::string text;
  for (const RunRecord& run : runs) text += to_line(run) + "\n";
  folder.file(name + "/runs.jsonl", text + more);
}

}  // namespace

TEST_CASE("several folders, or a folder of them, are read as one", "[results]") {
  const TemporaryFolder folder;
  write_folder(folder, "shard-1", {run_with("fixed", 1, 0.9)});
  write_folder(folder, "shard-2", {run_with("fixed", 2, 0.8), run_with("fixed", 1, 0.9)});
  CHECK(read_folders({folder.path("shard-1"), folder.path("shard-2")}, plain_catalog()).records.size() == 2);
  const ReadFolders all = read_folders({folder.path()}, plain_catalog());
  CHECK(all.records.size() == 2);
  CHECK(all.folders.size() == 2);
}

TEST_CASE("two results of one run are refused, a failure gives way", "[results]") {
  const TemporaryFolder folder;
  write_folder(folder, "a", {failed(run_with("fixed", 1, 0), "no"), run_with("fixed", 2, 0.7)});
  write_folder(folder, "b", {run_with("fixed", 1, 0.9)});
  const ReadFolders read = read_folders({folder.path("a"), folder.path("b")}, plain_catalog());
  CHECK(read.records[0].result.status == RunResult::Status::finished);
  write_folder(folder, "c", {run_with("fixed", 2, 0.8)});
  RunRecord other = run_with("fixed", 2, 0.8);
  CHECK_THROWS_WITH(read_folders({folder.path("a"), folder.path("c")}, plain_catalog()),
                    ContainsSubstring("has two different results"));
}

TEST_CASE("what two releases say of one configuration makes no difference between its results", "[results]") {
  const TemporaryFolder folder;
  const RunRecord run = run_with("fixed", 1, 0.9);
  RunRecord earlier = run;
  earlier.result.bounds->guess_lower = 0.4475;  // 179 of 400, before guessing's band was central
  write_folder(folder, "a", {run});
  write_folder(folder, "b", {earlier});
  CHECK(read_folders({folder.path("a"), folder.path("b")}, plain_catalog()).records.size() == 1);
}

TEST_CASE("a damaged line is named and the others are read", "[results]") {
  const TemporaryFolder folder;
  write_folder(folder, "a", {run_with("fixed", 1, 0.9)}, "{\"torn\":\n");
  const ReadFolders read = read_folders({folder.path("a")}, plain_catalog());
  CHECK(read.records.size() == 1);
  REQUIRE(read.damage.size() == 1);
  CHECK_THAT(read.damage[0], ContainsSubstring("runs.jsonl:2"));
}

TEST_CASE("of two lines with one id the later counts, in the place of the first", "[results]") {
  const TemporaryFolder folder;
  const RunRecord first = failed(run_with("fixed", 1, 0), "no"), repeated = run_with("fixed", 1, 0.9);
  write_folder(folder, "a", {first, run_with("fixed", 2, 0.7), repeated});
  const StoredRuns stored = read_runs(folder.path("a"), plain_catalog());
  REQUIRE(stored.records.all().size() == 2);
  CHECK(to_line(stored.records.all()[0]) == to_line(repeated));
  CHECK(to_line(*stored.records.find(first.run_id)) == to_line(repeated));
  const ReadFolders read = read_folders({folder.path("a")}, plain_catalog());
  CHECK(to_line(read.records[0]) == to_line(repeated));
}

TEST_CASE("results of another release are refused by what only reads, a damaged manifest is not", "[results]") {
  const TemporaryFolder folder;
  auto json = parsed(run_with("fixed", 2, 0.8));
  json["config"]["frobnicate"] = 3;
  write_folder(folder, "a", {run_with("fixed", 1, 0.9)}, sealed(json) + "\n");
  CHECK_THROWS_WITH(read_folders({folder.path("a")}, plain_catalog()),
                    ContainsSubstring("runs.jsonl:2: of another release, since"));
  write_folder(folder, "b", {run_with("fixed", 1, 0.9)});
  folder.file("b/manifest.json", R"({"schema":3})");
  CHECK_THROWS_WITH(read_folders({folder.path("b")}, plain_catalog()),
                    ContainsSubstring("manifest.json: results of another schema"));
  folder.file("b/manifest.json", "{");
  CHECK(read_folders({folder.path("b")}, plain_catalog()).records.size() == 1);
}

TEST_CASE("runs under the ids of earlier releases compare with those of today", "[results]") {
  const TemporaryFolder folder;
  const RunRecord run = run_with("fixed", 1, 0.9);
  auto json = parsed(run);
  json["run_id"] = run.run_id.substr(1);
  write_folder(folder, "former", {}, sealed(json) + "\n");
  write_folder(folder, "today", {run});
  const auto former = read_folders({folder.path("former")}, plain_catalog()),
             today = read_folders({folder.path("today")}, plain_catalog());
  const Comparison comparison = compare_results(former.records, today.records, 0);
  CHECK(comparison.common == 1);
  CHECK(comparison.differences.empty());
}

TEST_CASE("what is no folder of results is refused", "[results]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_folders({folder.path("none")}, plain_catalog()),
                    ContainsSubstring("no such folder of results"));
  CHECK_THROWS_WITH(read_folders({folder.path()}, plain_catalog()), ContainsSubstring("it has no runs.jsonl"));
  write_folder(folder, "empty", {});
  CHECK_THROWS_WITH(read_folders({folder.path("empty")}, plain_catalog()),
                    ContainsSubstring("no run has been kept there yet"));
  write_folder(folder, "a", {run_with("fixed", 1, 0.9)});
  CHECK_THROWS_WITH(read_folders({folder.path("a"), folder.path("a") + "/"}, plain_catalog()),
                    ContainsSubstring("a folder stands twice"));
}

TEST_CASE("two collections are compared run by run within a tolerance", "[results]") {
  std::vector<RunRecord> first = {run_with("fixed", 1, 0.9), run_with("fixed", 2, 0.8), run_with("fixed", 3, 0.7)};
  std::vector<RunRecord> second = first;
  second[0].execution.seconds = 99;
  CHECK(compare_results(first, second, 0).differences.empty());
  second[1].result.epochs[2].val_acc = 0.8005;
  const Comparison changed = compare_results(first, second, 0);
  REQUIRE(changed.differences.size() == 1);
  CHECK(changed.differences[0].what == "val_acc of epoch 3: 0.8 and 0.8005; greatest difference 0.0005");
  CHECK(changed.changed == 1);
  CHECK(changed.common == 3);
  CHECK(compare_results(first, second, 0.001).differences.empty());
  second[1].result.epochs[2].val_acc = std::nan("");
  CHECK(compare_results(first, second, 1e9).differences.size() == 1);
  first[1].result.epochs[2].val_acc = std::nan("");
  CHECK(compare_results(first, second, 0).differences.empty());
  second.pop_back();
  CHECK(compare_results(first, second, 0).only_first == 1);
  second[0].result.status = RunResult::Status::diverged;
  CHECK(compare_results(first, second, 0).differences[0].what == "finished and diverged");
}

TEST_CASE("a number that one result lacks is said in words, and epochs are compared by their number", "[results]") {
  RunRecord run = run_with("fixed", 1, 0.9), other = run;
  other.result.status = run.result.status = RunResult::Status::diverged;
  other.result.epochs.back().val_acc = std::nan("");
  const auto difference = [&] { return compare_results({run}, {other}, 0).differences.at(0).what; };
  CHECK(difference() == "val_acc of epoch 3: 0.9 and none");
  other = run;
  other.result.epochs.back().epoch = 4;
  CHECK(difference() == "epoch 3 and epoch 4 in one place");
}
