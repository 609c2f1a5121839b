// The entries of encodings.def, which registry.cpp alone reads: a new one compiles that file and its own.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

std::vector<EncodingEntry> all_encodings();  // in the order of the table

}  // namespace posenc
