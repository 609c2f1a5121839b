// Tests at several lengths, summed up over seeds by hand.
#include "report/length_summary.h"

#include <cmath>

#include "report/report.h"
#include "report/report_formats.h"
#include "support/catch.h"
#include "support/plain_catalog.h"
#include "support/some_runs.h"

using namespace posenc;

namespace {

RunRecord tested(const std::string& pos, std::int64_t seed, const std::vector<double>& accuracies) {
  RunRecord record = run_with(pos, seed, accuracies[1]);
  record.config.train_len = "2..16";
  record.config.seq_len = 16;
  record.config.eval_len = "8,16,32,64";
  record.run_id = run_id(record.config, plain_catalog());
  record.result.steps_at = {{8, 30}, {16, 40}};
  for (std::size_t i = 0; i < 4; ++i) {
    LengthResult each;
    each.length = std::int64_t{8} << i;
    each.size = 1000;
    each.trained = i < 2;
    each.accuracy = accuracies[i];
    each.majority = 0.5;
    record.result.lengths.push_back(each);
  }
  return record;
}

std::vector<RunRecord> some() {
  return {tested("rope", 1, {1, 1.0, 0.9, 0.70}),    // half lost at 64
          tested("rope", 2, {1, 0.9, 0.6, 0.50}),    // at 32
          tested("rope", 3, {1, 1.0, 0.8, 0.80}),    // never
          tested("none", 1, {0.51, 0.5, 0.5, 0.4}),  // learned nothing that could be lost
          tested("none", 2, {0.51, 0.5, 0.5, 0.4}), tested("none", 3, {0.51, 0.5, 0.5, 0.4})};
}

}  // namespace

TEST_CASE("medians by length, and where half is lost, are those of the runs", "[report]") {
  const std::vector<RunRecord> records = some();
  const Grouping grouping = group_runs(records, {}, Catalog{});
  REQUIRE(grouping.groups.size() == 2);
  const TestedLengths none = summarize_lengths(grouping.groups[0]), rope = summarize_lengths(grouping.groups[1]);
  REQUIRE(rope.at.size() == 4);
  CHECK(rope.at[0].trained == 3);
  CHECK(rope.at[2].trained == 0);
  CHECK(rope.at[2].accuracy.value == Approx(0.8));
  CHECK(rope.at[3].accuracy.value == Approx(0.7));
  CHECK(rope.learned == 3);
  CHECK(rope.half.never == 1);
  CHECK(rope.half.median.value == 64);  // of 32, 64 and never
  CHECK(none.learned == 0);
}

TEST_CASE("every format has the tested lengths", "[report]") {
  const std::vector<RunRecord> records = some();
  const Report report = build_report(group_runs(records, {}, Catalog{}), metrics().front(), records);
  const std::string text = report_text(report);
  CHECK_THAT(text, ContainsSubstring("Accuracy at tested lengths, median over seeds\n"));
  CHECK_THAT(text, ContainsSubstring("8t") && ContainsSubstring("16t") && !ContainsSubstring("32t"));
  CHECK_THAT(text, ContainsSubstring("0 of 3             -") && ContainsSubstring("3 of 3            64"));
  CHECK_THAT(report_markdown(report), ContainsSubstring("| 3 of 3 | 64 |"));
  CHECK_THAT(report_csv(report), ContainsSubstring("above_guessing,half_accuracy_length,"));
  CHECK_THAT(report_json(report), ContainsSubstring("\"half_accuracy_length\""));
  CHECK(lengths_table(report, 2).header ==
        std::vector<std::string>{"pos", "8t", "64", "above guessing", "half lost at"});
}
