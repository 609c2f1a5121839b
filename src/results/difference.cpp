#include "results/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace posenc {
namespace {

// Where both are no number they agree; where one is, nothing is near enough.
double distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

std::string text_of(double number) { return std::isnan(number) ? "none" : fmt::format("{}", number); }

// "" where the two agree.
std::string change_of(const RunResult& a, const RunResult& b, double tolerance) {
  if (a.status != b.status) return fmt::format("{} and {}", status_name(a.status), status_name(b.status));
  if (a.epochs.size() != b.epochs.size()) return fmt::format("{} epochs and {}", a.epochs.size(), b.epochs.size());
  if (a.lengths.size() != b.lengths.size())
    return fmt::format("{} tested lengths and {}", a.lengths.size(), b.lengths.size());
  std::string first;
  double greatest = 0;
  const auto compare = [&](const char* name, const char* place, std::int64_t number, double one, double other) {
    const double off = distance(one, other);
    if (off <= tolerance) return;
    if (first.empty()) first = fmt::format("{} {} {}: {} and {}", name, place, number, text_of(one), text_of(other));
    if (std::isfinite(off)) greatest = std::max(greatest, off);
  };
  for (std::size_t i = 0; i < a.epochs.size(); ++i) {
    if (a.epochs[i].epoch != b.epochs[i].epoch)
      return fmt::format("epoch {} and epoch {} in one place", a.epochs[i].epoch, b.epochs[i].epoch);
    for (const auto& [name, member] :
         {std::pair("train_loss", &EpochResult::train_loss), std::pair("val_acc", &EpochResult::val_acc)})
      compare(name, "of epoch", a.epochs[i].epoch, a.epochs[i].*member, b.epochs[i].*member);
  }
  for (std::size_t i = 0; i < a.lengths.size(); ++i) {
    if (a.lengths[i].length != b.lengths[i].length)
      return fmt::format("tested at length {} and {}", a.lengths[i].length, b.lengths[i].length);
    for (const auto& [name, member] :
         {std::pair("accuracy", &LengthResult::accuracy), std::pair("cross_entropy", &LengthResult::cross_entropy),
          std::pair("calibration_error", &LengthResult::calibration_error), std::pair("margin", &LengthResult::margin)})
      compare(name, "at length", a.lengths[i].length, a.lengths[i].*member, b.lengths[i].*member);
  }
  return first.empty() || greatest == 0 ? first : fmt::format("{}; greatest difference {:.3g}", first, greatest);
}

}  // namespace

Comparison compare_results(const std::vector<RunRecord>& first, const std::vector<RunRecord>& second,
                           double tolerance) {
  std::map<std::string, const RunRecord*> others;
  for (const RunRecord& record : second) others[record.run_id] = &record;
  Comparison comparison;
  for (const RunRecord& record : first) {
    const auto other = others.find(record.run_id);
    if (other == others.end()) {
      ++comparison.only_first;
      comparison.differences.push_back({record.run_id, record.config, "only in the first"});
      continue;
    }
    ++comparison.common;
    if (std::string what = change_of(record.result, other->second->result, tolerance); !what.empty()) {
      ++comparison.changed;
      comparison.differences.push_back({record.run_id, record.config, std::move(what)});
    }
    others.erase(other);
  }
  for (const RunRecord& record : second)
    if (others.contains(record.run_id)) {
      ++comparison.only_second;
      comparison.differences.push_back({record.run_id, record.config, "only in the second"});
    }
  return comparison;
}

}  // namespace posenc
