// Declares the function that each file of tasks.def defines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "posenc/catalog.h"

namespace posenc {

namespace tasks {
#define POSENC_TASK(name) TaskEntry name();
#include "tasks/tasks.def"
#undef POSENC_TASK
}  // namespace tasks

std::vector<TaskEntry> all_tasks();  // in the order of the table

// The one vocabulary of the task that `choice` names, if there is such a task and it has one alone.
std::optional<std::int64_t> prescribed_vocab(const std::string& choice);

}  // namespace posenc
