// Several folders of results as one, for shards that were run apart.
#pragma once

#include <string>
#include <vector>

namespace posenc {

struct MergeCounts {
  std::size_t runs = 0, copied = 0, damaged = 0;
  std::vector<std::string> damage;  // one sentence a damaged line, which is left out
};

// Adds the runs and models of `sources` to the folder `target`, made where it does not exist. Runs that are there already
// with the same result are passed over. Throws Error (usage): a source that is the target or no folder of results, a run
// with two different results (all but `execution` compared); then nothing was added.
MergeCounts merge(const std::vector<std::string>& sources, const std::string& target);

}  // namespace posenc
