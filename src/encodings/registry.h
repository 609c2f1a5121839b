// Declares the function that each file of encodings.def defines.
#pragma once

#include <vector>

#include "posenc/catalog.h"

namespace posenc {

namespace encodings {
#define POSENC_ENCODING(name) EncodingEntry name();
#include "encodings/encodings.def"
#undef POSENC_ENCODING
}  // namespace encodings

std::vector<EncodingEntry> all_encodings();  // in the order of the table

}  // namespace posenc
