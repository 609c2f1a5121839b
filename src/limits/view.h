// What of a sequence the model of a configuration can see, whatever its weights.
#pragma once

#include <string>

#include "posenc/catalog.h"
#include "posenc/run_config.h"
#include "posenc/task.h"

namespace posenc {

// docs/CEILINGS.md, "What a model sees".
View view_of(const RunConfig& config, const Catalog& catalog);

// "permutation", "reversal", ...; "" for everything.
std::string reason_of(View view);

}  // namespace posenc
