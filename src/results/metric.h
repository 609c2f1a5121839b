// The numbers of a run that can be compared over seeds: one table, by the name that --metric gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record.h"

namespace posenc {

struct Metric {
  std::string name;   // "val-acc"
  std::string title;  // "final validation accuracy"
  std::string unit;   // "" for a share or nats that the title names
  bool more_is_better;
  bool censored = false;  // nothing stands for "never", not for a run that failed
  bool bounded = false;   // an accuracy: ceilings and guessing apply
  int digits;             // after the point, in tables
  // Nothing where the run has no such number; infinity is never one.
  std::optional<double> (*of)(const RunRecord&);
};

const std::vector<Metric>& metrics();

// Accuracy that counts as success, in success rates and in epochs-to-95.
inline constexpr double kSuccess = 0.95;

// The first epoch whose validation accuracy is at least `threshold`.
std::optional<double> epochs_to(const RunResult& result, double threshold);

// Whether the run finished with a final accuracy of at least `threshold`.
bool succeeded(const RunRecord& record, double threshold);

}  // namespace posenc
