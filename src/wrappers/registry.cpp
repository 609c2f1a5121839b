#include "wrappers/registry.h"

namespace posenc {

std::vector<WrapperEntry> all_wrappers() {
  return {
#define POSENC_WRAPPER(name) wrappers::name(),
#include "wrappers/wrappers.def"
#undef POSENC_WRAPPER
  };
}

}  // namespace posenc
