// Is the sum of all tokens odd? Example, vocabulary 10: 3 7 1 4 -> 1, since the sum is 15.
// A transformer of one layer cannot compute it at every length (arXiv 2602.05896): the negative control.
#include "posenc/catalog.h"
#include "tasks/residue_sum.h"

namespace posenc {
namespace tasks {

TaskEntry parity() {
  TaskEntry entry;
  entry.name = "parity";
  entry.formula = "(sum of all tokens) mod 2";
  entry.source = "Hahn 2020, arXiv 1906.06755; one layer: arXiv 2602.05896";
  entry.make = [](const Parameters&) { return residue_sum(2); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    bool odd = false;
    for (const std::int64_t token : tokens)
      if ((token & 1) == 1) odd = !odd;
    return odd ? 1 : 0;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
