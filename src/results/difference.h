// Two collections of results, run by run: what a change of code or machine has changed.
#pragma once

#include <string>
#include <vector>

#include "results/record.h"

namespace posenc {

struct Difference {
  std::string run_id;
  RunConfig config;
  std::string what;  // "val_acc of epoch 3: 0.51 and 0.52; greatest 0.02", "only in the first", "finished and failed"
};

struct Comparison {
  std::vector<Difference> differences;
  std::size_t common = 0, changed = 0;  // runs that both have, and of them those that differ
  std::size_t only_first = 0, only_second = 0;
};

// Compares runs of one id: status, and loss and accuracy of every epoch, each allowed to differ by `tolerance`. What
// may differ between two repeats, seconds and machine, is not compared. In the order of the first, then the second.
Comparison compare_results(const std::vector<RunRecord>& first, const std::vector<RunRecord>& second, double tolerance);

}  // namespace posenc
