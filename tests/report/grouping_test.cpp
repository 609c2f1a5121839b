#include "report/grouping.h"

#include "posenc/error.h"
#include "support/catch.h"
#include "support/small_catalog.h"
#include "support/some_runs.h"

using namespace posenc;

namespace {

std::vector<std::string> names(const std::vector<const Field*>& columns) {
  std::vector<std::string> all;
  for (const Field* field : columns) all.push_back(field->name);
  return all;
}

}  // namespace

TEST_CASE("runs that differ in seeds alone are one group", "[report]") {
  const std::vector<RunRecord> runs = {run_with("free", 3, 0.9), run_with("table", 1, 0.8), run_with("free", 1, 0.7)};
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  CHECK(names(grouping.columns) == std::vector<std::string>{"pos"});
  REQUIRE(grouping.groups.size() == 2);
  CHECK(grouping.groups[0].key == std::vector<std::string>{"table"});  // as the catalog has them
  CHECK(grouping.groups[1].key == std::vector<std::string>{"free"});
  REQUIRE(grouping.groups[1].runs.size() == 2);
  CHECK(grouping.groups[1].runs[0]->config.seed == 1);  // by seed
  CHECK(std::find(grouping.shared.begin(), grouping.shared.end(),
                  std::pair<std::string, std::string>("seq-len", "16")) != grouping.shared.end());
}

TEST_CASE("a length sorts as a number, and what follows from it is no column", "[report]") {
  std::vector<RunRecord> runs;
  for (const std::int64_t length : {128, 16, 8}) {
    runs.push_back(run_with("free", 1, 0.9));
    set_length(runs.back(), length);
  }
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  CHECK(names(grouping.columns) == std::vector<std::string>{"seq-len"});  // and not max-len
  CHECK(grouping.groups[0].key == std::vector<std::string>{"8"});
  CHECK(grouping.groups[2].key == std::vector<std::string>{"128"});
}

TEST_CASE("runs of an older meaning are a row of their own, and a revision alone is no column", "[report]") {
  std::vector<RunRecord> runs = {run_with("free", 1, 0.9), run_with("table", 1, 0.9)};
  runs[1].config.revisions = "table=2";
  CHECK(names(group_runs(runs, {}, small_catalog()).columns) == std::vector<std::string>{"pos"});
  runs.push_back(run_with("table", 2, 0.8));  // as an earlier release had it
  const Grouping mixed = group_runs(runs, {}, small_catalog());
  CHECK(names(mixed.columns) == std::vector<std::string>{"pos", "revisions"});
  REQUIRE(mixed.groups.size() == 3);
  CHECK(mixed.groups[0].key == std::vector<std::string>{"table", ""});
  CHECK(mixed.groups[1].key == std::vector<std::string>{"table", "table=2"});
  for (const Grouping& grouping : {group_runs({runs[1]}, {}, small_catalog()), mixed})
    for (const auto& [name, value] : grouping.shared) CHECK(name != "revisions");
}

TEST_CASE("ranges of lengths sort by their numbers", "[report]") {
  std::vector<RunRecord> runs;
  for (const char* lengths : {"2..12", "2..8", "10..20"}) {
    runs.push_back(run_with("free", 1, 0.9));
    runs.back().config.train_len = lengths;
  }
  const Grouping grouping = group_runs(runs, {}, small_catalog());
  REQUIRE(grouping.groups.size() == 3);
  CHECK(grouping.groups[0].key == std::vector<std::string>{"2..8"});
  CHECK(grouping.groups[1].key == std::vector<std::string>{"2..12"});
  CHECK(grouping.groups[2].key == std::vector<std::string>{"10..20"});
}

TEST_CASE("--by orders the columns, and pools nothing", "[report]") {
  std::vector<RunRecord> runs;
  for (const char* pos : {"table", "free"})
    for (const std::int64_t length : {8, 16}) {
      runs.push_back(run_with(pos, 1, 0.9));
      set_length(runs.back(), length);
    }
  CHECK(names(group_runs(runs, {"seq-len", "pos"}, small_catalog()).columns) ==
        std::vector<std::string>{"seq-len", "pos"});
  const Grouping grouping = group_runs(runs, {"pos", "vocab"}, small_catalog());
  CHECK(grouping.groups.size() == 4);
  REQUIRE(grouping.notes.size() == 2);
  CHECK(grouping.notes[0] == "--by vocab: all runs have the same vocab");
  CHECK(grouping.notes[1] == "seq-len varies, too, and is kept apart although --by does not name it");
  CHECK_THROWS_WITH(group_runs(runs, {"seqlen"}, small_catalog()),
                    ContainsSubstring("--by: unknown option (given 'seqlen'") && ContainsSubstring("nearest: seq-len"));
  CHECK_THROWS_AS(group_runs(runs, {"seed"}, small_catalog()), Error);
}
