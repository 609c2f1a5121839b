#include "results/merge.h"

#include <filesystem>

#include "posenc/error.h"
#include "results/store.h"
#include "support/catch.h"
#include "support/forged_line.h"
#include "support/plain_catalog.h"
#include "support/some_record.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::string with_runs(const TemporaryFolder& folder, const std::string& name, std::initializer_list<int> seeds) {
  Store store(folder.path(name), plain_catalog());
  for (const int seed : seeds) {
    store.append(some_record(seed));
    replace_file(store.model_path(some_record(seed).run_id), "model " + std::to_string(seed));
  }
  return folder.path(name);
}

}  // namespace

TEST_CASE("merged folders have every run and model once", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1, 2}), b = with_runs(folder, "b", {2, 3});
  const MergeCounts counts = merge({a, b}, folder.path("all"), plain_catalog());
  CHECK((counts.runs == 3 && counts.copied == 3 && counts.damage.empty()));
  const Store store(folder.path("all"), plain_catalog());
  for (const int seed : {1, 2, 3}) {
    CHECK(store.find(some_record(seed).run_id) != nullptr);
    CHECK(read_whole_file(store.model_path(some_record(seed).run_id)) == "model " + std::to_string(seed));
  }
}

TEST_CASE("merging again adds nothing", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1, 2});
  merge({a}, folder.path("all"), plain_catalog());
  const std::string before = read_whole_file(folder.path("all/runs.jsonl"));
  CHECK(merge({a}, folder.path("all"), plain_catalog()).copied == 0);
  CHECK(read_whole_file(folder.path("all/runs.jsonl")) == before);
}

TEST_CASE("two different results of one run are refused, two times of one are not", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1});
  RunRecord slower = some_record(1), other = some_record(1);
  slower.execution.seconds = 99;
  other.result.epochs.back().val_acc = 0.1;
  { Store(folder.path("b"), plain_catalog()).append(slower); }
  { Store(folder.path("c"), plain_catalog()).append(other); }
  CHECK_NOTHROW(merge({a, folder.path("b")}, folder.path("ab"), plain_catalog()));
  CHECK_THROWS_WITH(merge({a, folder.path("c")}, folder.path("ac"), plain_catalog()),
                    ContainsSubstring("has two different results"));
  CHECK_FALSE(std::filesystem::exists(folder.path("ac")));
  CHECK_THROWS_WITH(merge({folder.path("c")}, folder.path("ab"), plain_catalog()),
                    ContainsSubstring("has two different results"));
}

TEST_CASE("a result takes the place of a failure, and two failures do not conflict", "[results]") {
  const TemporaryFolder folder;
  RunRecord failed = some_record(1), failed_later = some_record(1);
  failed.result.status = failed_later.result.status = RunResult::Status::failed;
  failed.result.epochs.pop_back();
  { Store(folder.path("a"), plain_catalog()).append(failed); }
  { Store(folder.path("b"), plain_catalog()).append(failed_later); }
  const auto c = with_runs(folder, "c", {1});
  merge({folder.path("a"), folder.path("b")}, folder.path("all"), plain_catalog());
  merge({folder.path("a"), c, folder.path("b")}, folder.path("all"), plain_catalog());
  const Store store(folder.path("all"), plain_catalog());
  CHECK(store.find(failed.run_id)->result.status == RunResult::Status::finished);
}

TEST_CASE("a folder is not merged with itself, nor with what is no folder of results", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1});
  std::filesystem::create_symlink(a, folder.path("link"));
  CHECK_THROWS_WITH(merge({a}, a, plain_catalog()), ContainsSubstring("cannot be merged with itself"));
  CHECK_THROWS_WITH(merge({a}, folder.path("link"), plain_catalog()),
                    ContainsSubstring("cannot be merged with itself"));
  CHECK_THROWS_WITH(merge({a, folder.path("link")}, folder.path("new"), plain_catalog()),
                    ContainsSubstring("stands twice"));
  CHECK_THROWS_WITH(merge({folder.path()}, folder.path("new"), plain_catalog()),
                    ContainsSubstring("not a folder of results"));
  CHECK_FALSE(std::filesystem::exists(folder.path("new")));
}

TEST_CASE("damaged lines of a source are named and left out", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1, 2});
  std::string text = read_whole_file(a + "/runs.jsonl");
  text[30] ^= 1;
  folder.file("a/runs.jsonl", text);
  const MergeCounts counts = merge({a}, folder.path("all"), plain_catalog());
  CHECK(counts.copied == 1);
  REQUIRE(counts.damage.size() == 1);
  CHECK_THAT(counts.damage[0], ContainsSubstring("a/runs.jsonl:1: damaged line"));
}

TEST_CASE("a run id that leads out of the folder is damage, and nothing is written outside", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1});
  auto json = parsed(some_record(2));
  json["run_id"] = "../../../x";
  folder.file("a/runs.jsonl", read_whole_file(a + "/runs.jsonl") + sealed(json) + "\n");
  folder.file("x.pt", "model");  // a/models/../../../x.pt from a/models/../
  const MergeCounts counts = merge({a}, folder.path("all/of/them"), plain_catalog());
  CHECK(counts.damage.size() == 1);
  CHECK(counts.copied == 1);
  CHECK_FALSE(std::filesystem::exists(folder.path("all/x.pt")));
}

TEST_CASE("runs under the ids of earlier releases merge with those of today", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1, 2}), b = with_runs(folder, "b", {2, 3});
  std::string former;
  for (const int seed : {1, 2}) {
    auto json = parsed(some_record(seed));
    const std::string id = some_record(seed).run_id;
    json["run_id"] = id.substr(1);
    former += sealed(json) + "\n";
    std::filesystem::rename(a + "/models/" + id + ".pt", a + "/models/" + id.substr(1) + ".pt");
  }
  folder.file("a/runs.jsonl", former);
  const MergeCounts counts = merge({a, b}, folder.path("all"), plain_catalog());
  CHECK((counts.runs == 3 && counts.copied == 3));
  CHECK(counts.without_model.empty());
  const StoredRuns stored = read_runs(folder.path("all"), plain_catalog());
  for (const int seed : {1, 2, 3}) {
    const std::string id = some_record(seed).run_id;
    CHECK(stored.records.find(id) != nullptr);
    CHECK(read_whole_file(folder.path("all/models/") + id + ".pt") == "model " + std::to_string(seed));
    CHECK_THAT(read_whole_file(folder.path("all/runs.jsonl")), ContainsSubstring("\"run_id\":\"" + id + "\""));
  }
  CHECK(merge({b}, a, plain_catalog()).copied == 1);  // into the folder of the earlier release, whose lines stay
  CHECK_THAT(read_whole_file(a + "/runs.jsonl"), StartsWith(former));
}

TEST_CASE("a source with a line of another release is refused before anything is made", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1});
  auto json = parsed(some_record(2));
  json["config"]["frobnicate"] = 3;
  folder.file("a/runs.jsonl", read_whole_file(a + "/runs.jsonl") + sealed(json) + "\n");
  CHECK_THROWS_WITH(merge({a}, folder.path("all"), plain_catalog()),
                    ContainsSubstring("a/runs.jsonl:2: of another release"));
  CHECK_FALSE(std::filesystem::exists(folder.path("all")));
}

TEST_CASE("finished runs that were copied without a model are counted", "[results]") {
  const TemporaryFolder folder;
  const auto a = with_runs(folder, "a", {1, 2});
  std::filesystem::remove(a + "/models/" + some_record(2).run_id + ".pt");
  CHECK(merge({a}, folder.path("all"), plain_catalog()).without_model ==
        std::vector<std::string>{some_record(2).run_id});
}
