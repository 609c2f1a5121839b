// The tables of this build that need no torch, for tests of what stored runs are: their ids depend on no encoding.
#pragma once

#include "curricula/registry.h"
#include "posenc/catalog.h"
#include "schedules/registry.h"
#include "tasks/registry.h"

namespace posenc {

inline const Catalog& plain_catalog() {
  static const Catalog built{{}, {}, all_tasks(), all_schedules(), all_curricula()};
  return built;
}

}  // namespace posenc
