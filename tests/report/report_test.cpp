// What a report says of runs whose outcomes are known.
#include "report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "posenc/error.h"
#include "report/report_formats.h"
#include "report/report_tables.h"
#include "support/catch.h"
#include "support/small_catalog.h"
#include "support/some_runs.h"

using namespace posenc;

namespace {

Report report_of(const std::vector<RunRecord>& runs, const std::string& metric = "val-acc") {
  static std::vector<Grouping> kept;  // a report names what a grouping holds
  kept.push_back(group_runs(runs, {}, small_catalog()));
  for (const Metric& each : metrics())
    if (each.name == metric) return build_report(kept.back(), each, runs);
  throw Error("no such metric");
}

std::vector<RunRecord> two_encodings(int seeds, double step) {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= seeds; ++seed) {
    runs.push_back(run_with("table", seed, 0.80 + 0.01 * seed));
    runs.push_back(run_with("free", seed, 0.80 + 0.01 * seed + step * (1 + 0.1 * (seed % 3))));
  }
  return runs;
}

}  // namespace

TEST_CASE("a group has the statistics of its final values", "[report]") {
  const auto runs = two_encodings(8, -0.1);
  const Report report = report_of(runs);
  REQUIRE(report.groups.size() == 2);
  const GroupReport& table = report.groups[0];
  CHECK(table.runs == 8);
  CHECK(table.summary.mean == Approx(0.845));
  CHECK(table.summary.median == Approx(0.845));
  CHECK(table.summary.max == Approx(0.88));
  REQUIRE(table.mean.interval);
  CHECK(table.mean.too_narrow);
  CHECK(table.successes == 0);
  CHECK(table.epochs.never == 8);
  CHECK(report.seeds == "seeds 1 to 8, seeding paired");
}

TEST_CASE("a pair is compared seed by seed", "[report]") {
  const auto runs = two_encodings(8, -0.1);
  const Report report = report_of(runs);
  REQUIRE(report.pairs.size() == 1);
  const PairReport& pair = report.pairs[0];
  CHECK(pair.paired);
  CHECK(pair.n == 8);
  CHECK(pair.first == "table");
  CHECK(pair.effect.difference.value > 0);
  CHECK(pair.test.exact);
  CHECK(pair.test.p == Approx(2.0 / 256));  // all eight differences have one sign
  CHECK(pair.adjusted == Approx(2.0 / 256));
  CHECK(pair_words(pair) == "table is higher");
}

TEST_CASE("without paired seeding the groups are compared as groups", "[report]") {
  auto runs = two_encodings(5, -0.3);
  for (RunRecord& run : runs) run.config.seeding = "single";
  const PairReport pair = report_of(runs).pairs[0];
  CHECK_FALSE(pair.paired);
  CHECK(pair.test.p == Approx(2.0 / 252));  // of the ten over five splits the two most extreme
}

TEST_CASE("a difference that is not shown says how many seeds it would need", "[report]") {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 12; ++seed) {
    runs.push_back(run_with("table", seed, 0.8 + 0.01 * (seed % 4)));
    runs.push_back(run_with("free", seed, 0.8 + 0.01 * (seed % 5)));
  }
  const PairReport pair = report_of(runs).pairs[0];
  CHECK_FALSE(pair.shown());
  CHECK_THAT(pair_words(pair), StartsWith("no difference shown; about ") && ContainsSubstring(" seeds needed"));
}

TEST_CASE("failed runs count as failures of their group and are listed", "[report]") {
  auto runs = two_encodings(6, 0.11);
  runs.push_back(failed(run_with("free", 7, 0), "out of <memory>"));
  const Report report = report_of(runs);
  const GroupReport& free = report.groups[1];
  CHECK(free.runs == 7);
  CHECK(free.failed == 1);
  CHECK(free.summary.n == 6);
  CHECK(free.success.value == Approx(static_cast<double>(free.successes) / 7));  // not over survivors
  CHECK(free.epochs.n == 7);
  CHECK(report.pairs[0].unmatched == 1);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].where == "pos=free, seed=7");
  const std::string text = report_text(report);
  CHECK_THAT(text, ContainsSubstring("6 of 7") && ContainsSubstring("out of <memory>"));
}

TEST_CASE("two kinds of runs are shown as modes before a mean that misleads", "[report]") {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 12; ++seed) runs.push_back(run_with("table", seed, seed % 2 == 0 ? 0.99 : 0.51));
  const Report report = report_of(runs);
  CHECK(report.groups[0].modes.bimodal);
  const std::string text = report_text(report);
  CHECK_THAT(text, ContainsSubstring("6 x 0.5100, 6 x 0.9900  0.7500*"));
  CHECK_THAT(text, ContainsSubstring("* two kinds of runs"));
}

TEST_CASE("one run, equal runs and few runs have words where an interval would be", "[report]") {
  CHECK_THAT(report_text(report_of({run_with("table", 1, 0.9)})), ContainsSubstring("one run"));
  std::vector<RunRecord> equal;
  for (int seed = 1; seed <= 12; ++seed) equal.push_back(run_with("table", seed, 0.9));
  CHECK_THAT(report_text(report_of(equal)), ContainsSubstring("all equal"));
  CHECK_THAT(report_text(report_of(two_encodings(4, 0.1))),
             ContainsSubstring("n is below 10: a bootstrap interval is too narrow"));
}

TEST_CASE("epochs to the threshold are medians over all runs", "[report]") {
  std::vector<RunRecord> runs;
  for (int seed = 1; seed <= 5; ++seed) runs.push_back(run_with("table", seed, seed <= 3 ? 0.97 : 0.6));
  const Report report = report_of(runs, "epochs-to-95");
  CHECK(report.groups[0].epochs.median.value == 3);
  CHECK(report.groups[0].epochs.never == 2);
  CHECK(report.groups[0].without == 2);
  CHECK(report.pairs.empty());
  runs[2] = run_with("table", 3, 0.6);
  CHECK_THAT(report_text(report_of(runs, "epochs-to-95")), ContainsSubstring("never"));
}

TEST_CASE("a metric that no run has is refused; that all failed is reported", "[report]") {
  CHECK_THROWS_WITH(report_of({run_with("table", 1, 0.9)}, "score"),
                    ContainsSubstring("no run has a score (1 runs, 0 of them failed"));
  const std::string text = report_text(report_of({failed(run_with("table", 1, 0), "no memory")}));
  CHECK_THAT(text, ContainsSubstring("no memory") && ContainsSubstring("all of them failed or diverged"));
}

TEST_CASE("JSON and CSV have full precision and escape what users wrote", "[report]") {
  auto runs = two_encodings(6, 1.0 / 30);
  runs.push_back(failed(run_with("free", 9, 0), "=cmd|'/C calc'!A0"));
  const Report report = report_of(runs);
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["groups"][1]["mean"]["value"].get<double>() == report.groups[1].summary.mean);
  CHECK(json["pairs"][0]["p"].get<double>() == report.pairs[0].test.p);
  CHECK(json["failures"][0]["message"] == "=cmd|'/C calc'!A0");
  CHECK_THAT(report_csv(report), ContainsSubstring(fmt::to_string(report.groups[1].summary.mean)));
  const std::string csv = report_csv(report), pairs = pairs_csv(report);
  for (const std::string& text : {csv, pairs}) {
    const auto end = text.find('\n');
    CHECK(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), ',') ==
          std::count(text.begin() + static_cast<std::ptrdiff_t>(end),
                     text.begin() + static_cast<std::ptrdiff_t>(text.find('\n', end + 1)), ','));
  }
}

TEST_CASE("Markdown has a rule under each header and no bare bars", "[report]") {
  auto runs = two_encodings(6, 0.1);
  runs.push_back(failed(run_with("free", 9, 0), "a|b"));
  const std::string text = report_markdown(report_of(runs));
  CHECK_THAT(text, ContainsSubstring("|---|---:|") && ContainsSubstring("a\\|b"));
}
