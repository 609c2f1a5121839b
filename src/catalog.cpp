#include "posenc/catalog.h"

#include "curricula/registry.h"
#include "encodings/registry.h"
#include "schedules/registry.h"
#include "tasks/registry.h"
#include "wrappers/registry.h"

namespace posenc {

const Catalog& catalog() {
  static const Catalog built{all_encodings(), all_wrappers(), all_tasks(), all_schedules(), all_curricula()};
  return built;
}

}  // namespace posenc
