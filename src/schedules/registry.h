// The entries of schedules.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<ScheduleEntry> all_schedules();  // in the order of the table

}  // namespace posenc
