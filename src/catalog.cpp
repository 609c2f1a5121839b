#include "posenc/catalog.h"

#include "encodings/registry.h"
#include "tasks/registry.h"
#include "wrappers/registry.h"

namespace posenc {

const Catalog& catalog() {
  static const Catalog built{all_encodings(), all_wrappers(), all_tasks()};
  return built;
}

}  // namespace posenc
