#include "tasks/registry.h"

#include "config/choice.h"
#include "posenc/task.h"

namespace posenc {

std::vector<TaskEntry> all_tasks() {
  return {
#define POSENC_TASK(name) tasks::name(),
#include "tasks/tasks.def"
#undef POSENC_TASK
  };
}

std::unique_ptr<Task> make_task(const std::string& choice) {
  static const std::vector<TaskEntry> table = all_tasks();
  const ChoiceText text = split_choice(choice, "--task");
  const TaskEntry& entry = find_entry(table, text.name, "--task", "task");
  return entry.make(read_parameters(entry, text, "--task"));
}

}  // namespace posenc
