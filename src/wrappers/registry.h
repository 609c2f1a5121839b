// Declares the function that each file of wrappers.def defines.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

namespace wrappers {
#define POSENC_WRAPPER(name) WrapperEntry name();
#include "wrappers/wrappers.def"
#undef POSENC_WRAPPER
}  // namespace wrappers

std::vector<WrapperEntry> all_wrappers();  // in the order of the table

}  // namespace posenc
