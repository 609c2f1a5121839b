// Several folders of results as one, for shards that were run apart.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "posenc/catalog.h"

namespace posenc {

struct MergeCounts {
  std::size_t runs = 0, copied = 0;
  std::vector<std::string> damage;  // one sentence a damaged line, which is left out
  std::vector<std::string>
      without_model;  // ids of finished runs that were copied and whose source has no model of them
};

// Adds the runs and models of `sources` to the folder `target`, made where it does not exist. Runs that are there
// already with the same result are passed over; what finished or diverged takes the place of what failed. Throws Error
// (usage): a source that is the target or no folder of results, a run with two different results (all but `execution`
// compared); then nothing was added. `invocation` goes into the target's manifest (describe_invocation).
MergeCounts merge(const std::vector<std::string>& sources, const std::string& target, const Catalog& catalog,
                  const nlohmann::ordered_json& invocation = nlohmann::ordered_json::object());

}  // namespace posenc
