#include "curricula/registry.h"

namespace posenc {

namespace curricula {
#define POSENC_CURRICULUM(name) CurriculumEntry name();
#include "curricula/curricula.def"
#undef POSENC_CURRICULUM
}  // namespace curricula

std::vector<CurriculumEntry> all_curricula() {
  return {
#define POSENC_CURRICULUM(name) curricula::name(),
#include "curricula/curricula.def"
#undef POSENC_CURRICULUM
  };
}

}  // namespace posenc
