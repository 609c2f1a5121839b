// The entries of tasks.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<TaskEntry> all_tasks();  // in the order of the table

// The one vocabulary of the task that `choice` names, if there is such a task and it has one alone.
std::optional<std::int64_t> prescribed_vocab(const std::string& choice);

}  // namespace posenc
