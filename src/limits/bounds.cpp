#include "posenc/bounds.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "config/lengths.h"
#include "config/task_choice.h"
#include "limits/view.h"
#include "posenc/task.h"
#include "statistics/proportion.h"

namespace posenc {
namespace {

struct Counted {
  double majority;
  std::optional<double> ceiling;
};

// Counted once in a process, since some take seconds and all runs of a sweep have the same.
Counted counted(const std::string& choice, const Task& task, View view, std::int64_t length, std::int64_t vocab) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string, View, std::int64_t, std::int64_t>, Counted> known;
  const std::tuple key(choice, view, length, vocab);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const Counted fresh{task.majority_rate(length, vocab), task.ceiling(view, length, vocab)};
  const std::lock_guard lock(mutex);
  return known.emplace(key, fresh).first->second;
}

}  // namespace

Bounds bounds_of(const RunConfig& config, const Catalog& catalog) {
  const TaskChoice choice = read_task_choice(config.task, catalog, "--task");
  const std::unique_ptr<Task> task = choice.entry->make(choice.parameters);
  const View view = view_of(config, catalog);
  Bounds bounds{.majority = 0, .ceiling = 0.0};
  const LengthRange lengths = trained_lengths(config);
  std::int64_t next = 0;
  for (const std::int64_t size : validation_sizes(config)) {
    const std::int64_t length = lengths.at(next++);
    const auto sequences = static_cast<double>(size);
    const auto [majority, ceiling] = counted(config.task, *task, view, length, config.vocab);
    bounds.majority += sequences * majority;
    if (!ceiling || !bounds.ceiling) {
      bounds.ceiling = std::nullopt;
    } else {
      *bounds.ceiling += sequences * *ceiling;
    }
  }
  bounds.majority /= static_cast<double>(config.val_size);
  if (bounds.ceiling) *bounds.ceiling /= static_cast<double>(config.val_size);
  // Pairs that are held out are drawn from another distribution than was counted.
  if (config.holdout_pairs > 0 && view != View::everything) bounds.ceiling = std::nullopt;
  constexpr double kRounding = 1e-9;
  if (view == View::everything || (bounds.ceiling && *bounds.ceiling > 1 - kRounding)) bounds.ceiling = 1.0;
  const Interval band = guessing_band(config.val_size, std::min(1.0, bounds.majority));
  bounds.guess_lower = band.lower;
  bounds.guess_upper = band.upper;
  bounds.reason = reason_of(view);
  return bounds;
}

Bounds bounds_of(const RunConfig& config, const Catalog& catalog, const std::vector<std::int64_t>& labels) {
  Bounds bounds = bounds_of(config, catalog);
  if (config.holdout_pairs == 0) return bounds;
  std::int64_t all = 0;
  for (const std::int64_t count : labels) all += count;
  bounds.majority = static_cast<double>(*std::max_element(labels.begin(), labels.end())) / static_cast<double>(all);
  const Interval band = guessing_band(all, bounds.majority);
  bounds.guess_lower = band.lower;
  bounds.guess_upper = band.upper;
  return bounds;
}

}  // namespace posenc
