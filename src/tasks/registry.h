// The entries of tasks.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<TaskEntry> all_tasks();  // in the order of the table

}  // namespace posenc
