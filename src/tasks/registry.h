// Declares the function that each file of tasks.def defines.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

namespace tasks {
#define POSENC_TASK(name) TaskEntry name();
#include "tasks/tasks.def"
#undef POSENC_TASK
}  // namespace tasks

std::vector<TaskEntry> all_tasks();  // in the order of the table

}  // namespace posenc
