// A report of many runs: what each group of seeds did, and what the encodings differ by. The formats (report_text.h,
// report_csv.h, ...) write it, and compute nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "posenc/bounds.h"
#include "report/grouping.h"
#include "report/length_summary.h"
#include "results/metric.h"
#include "statistics/bimodal.h"
#include "statistics/censored.h"
#include "statistics/effect.h"
#include "statistics/permutation.h"
#include "statistics/summary.h"

namespace posenc {

struct FailedRun {
  std::string run_id, where, status, message;  // where: what the columns say of it, with its seed
};

// One row of the table: the runs of one configuration over seeds. All but `failed` are of the runs with a number.
struct GroupReport {
  std::vector<std::string> key;  // one text a column
  std::int64_t runs = 0;         // with those that have no number
  std::int64_t failed = 0;       // of them: failed or diverged
  std::int64_t without = 0;      // of them: finished without the metric's number (an epoch that never came)
  std::vector<double> values;    // by seed; of a censored metric without "never"
  Summary summary{};
  Estimate mean{};  // with its BCa interval
  Modes modes{};
  Estimate success{};  // share of all runs with a final accuracy of at least 0.95, failures among them; Wilson
  std::int64_t successes = 0;
  TestedLengths tested;          // of the runs with --eval-len
  CensoredMedian epochs{};       // to that accuracy, over all runs; a failed one never gets there
  std::optional<Bounds> bounds;  // the same for all its runs
};

// Two encodings at one setting.
struct PairReport {
  std::vector<std::pair<std::string, std::string>> setting;  // the columns besides pos, with their values
  std::string first, second;
  std::int64_t n = 0;          // pairs, or the smaller group
  std::int64_t unmatched = 0;  // runs that have no partner and are left out
  bool paired = false;
  PermutationTest test{};
  double adjusted = 1;                 // p by Holm over all pairs of the report
  Effect effect{};                     // first - second
  std::optional<std::int64_t> needed;  // pairs, or runs a group, for 80 % power at this effect and this many pairs

  bool shown() const { return adjusted <= 0.05; }
};

struct Report {
  const Metric* metric = nullptr;
  std::vector<std::string> columns;
  std::vector<GroupReport> groups;
  std::vector<PairReport> pairs;
  std::vector<FailedRun> failures;
  std::vector<std::pair<std::string, std::string>> shared;  // options that do not vary
  std::vector<std::string> notes;                           // one sentence each
  std::vector<std::string> damage;                          // of the folders, one sentence a line
  std::vector<std::string> folders, machines;
  std::int64_t runs = 0, resamples = 0;
  std::string seeds;  // "seeds 1..20, paired"
};

// Statistics of `grouping` by `metric`. Throws Error when no run has a number of the metric.
Report build_report(const Grouping& grouping, const Metric& metric, const std::vector<RunRecord>& records);

}  // namespace posenc
