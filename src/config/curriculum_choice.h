// --curriculum read in full: a curriculum and its parameters.
#pragma once

#include <string_view>

#include "config/choice.h"
#include "posenc/catalog.h"

namespace posenc {

struct CurriculumChoice {
  const CurriculumEntry* entry;  // of the catalog that it was read with
  Parameters parameters;
};

// Reads NAME[:key=value,...]; `what` names the option. Throws Error: not of the grammar, an unknown name, key or value.
CurriculumChoice read_curriculum_choice(std::string_view text, const Catalog& catalog, std::string_view what);

}  // namespace posenc
