#include "encodings/registry.h"

namespace posenc {

namespace encodings {
#define POSENC_ENCODING(name) EncodingEntry name();
#include "encodings/encodings.def"
#undef POSENC_ENCODING
}  // namespace encodings

std::vector<EncodingEntry> all_encodings() {
  return {
#define POSENC_ENCODING(name) encodings::name(),
#include "encodings/encodings.def"
#undef POSENC_ENCODING
  };
}

}  // namespace posenc
