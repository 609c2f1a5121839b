// The entries of wrappers.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<WrapperEntry> all_wrappers();  // in the order of the table

}  // namespace posenc
