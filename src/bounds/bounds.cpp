#include "posenc/bounds.h"

#include "bounds/view.h"
#include "config/task_choice.h"
#include "posenc/task.h"
#include "report/statistics/proportion.h"

namespace posenc {

Bounds bounds_of(const RunConfig& config, const Catalog& catalog) {
  const TaskChoice choice = read_task_choice(config.task, catalog, "--task");
  const std::unique_ptr<Task> task = choice.entry->make(choice.parameters);
  const View view = view_of(config, catalog);
  Bounds bounds;
  bounds.majority = task->majority_rate(config.seq_len, config.vocab);
  const Interval band = guessing_band(config.val_size, bounds.majority);
  bounds.guess_lower = band.lower;
  bounds.guess_upper = band.upper;
  bounds.ceiling = task->ceiling(view, config.seq_len, config.vocab);
  bounds.reason = reason_of(view);
  return bounds;
}

}  // namespace posenc
