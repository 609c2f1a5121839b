#include "wrappers/registry.h"

namespace posenc {

namespace wrappers {
#define POSENC_WRAPPER(name) WrapperEntry name();
#include "wrappers/wrappers.def"
#undef POSENC_WRAPPER
}  // namespace wrappers

std::vector<WrapperEntry> all_wrappers() {
  return {
#define POSENC_WRAPPER(name) wrappers::name(),
#include "wrappers/wrappers.def"
#undef POSENC_WRAPPER
  };
}

}  // namespace posenc
