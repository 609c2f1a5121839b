#include "tasks/registry.h"

#include "config/choice.h"
#include "posenc/task.h"

namespace posenc {

namespace tasks {
#define POSENC_TASK(name) TaskEntry name();
#include "tasks/tasks.def"
#undef POSENC_TASK
}  // namespace tasks

std::vector<TaskEntry> all_tasks() {
  return {
#define POSENC_TASK(name) tasks::name(),
#include "tasks/tasks.def"
#undef POSENC_TASK
  };
}

namespace {

const std::vector<TaskEntry>& table() {
  static const std::vector<TaskEntry> entries = all_tasks();
  return entries;
}

}  // namespace

std::unique_ptr<Task> make_task(const std::string& choice) {
  const ChoiceText text = split_choice(choice, "--task");
  const TaskEntry& entry = find_entry(table(), text.name, "--task", "task");
  return entry.make(read_parameters(entry, text, "--task"));
}

}  // namespace posenc
