// The entries of curricula.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<CurriculumEntry> all_curricula();  // in the order of the table

}  // namespace posenc
