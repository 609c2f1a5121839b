// What the runs of a group did at the lengths that they were tested at.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plot/table.h"
#include "report/grouping.h"
#include "statistics/censored.h"
#include "statistics/interval.h"

namespace posenc {

struct LengthSummary {
  std::int64_t length;
  std::int64_t trained;  // runs of which a step had this length
  std::vector<double> accuracies;
  Estimate accuracy;  // the median over runs, with the order statistics' interval
  std::optional<double> ceiling;
};

struct TestedLengths {
  std::vector<LengthSummary> at;  // rising; empty where no run was tested
  std::int64_t learned = 0;       // runs that reached more than guessing where they were trained
  CensoredMedian half;            // of their half-accuracy lengths; those that keep half at all lengths never get there
};

TestedLengths summarize_lengths(const Group& group);

// One number of all runs by tested length, where it is finite.
std::map<std::int64_t, std::vector<double>> by_length(const Group& group, double LengthResult::*member);

struct Report;

// Medians by length, at most `most` lengths, and where half of what training reached is lost.
Table lengths_table(const Report& report, std::size_t most);

}  // namespace posenc
