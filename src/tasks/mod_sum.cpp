// The sum of all tokens modulo m. Example, m = 5, vocabulary 10: 3 7 1 4 -> 0, since the sum is 15.
#include "posenc/catalog.h"
#include "tasks/residue_sum.h"

namespace posenc {
namespace tasks {

TaskEntry mod_sum() {
  TaskEntry entry;
  entry.name = "mod-sum";
  entry.formula = "(sum of all tokens) mod m";
  entry.source = "Deletang et al. 2023, arXiv 2207.02098 (parity check, m = 2)";
  entry.parameters = {{"m", ValueType::integer(2, 256), std::int64_t{5}, "modulus, the number of classes"}};
  entry.make = [](const Parameters& parameters) { return residue_sum(parameters.integer("m")); };
  entry.definition = [](const Parameters& parameters, const std::vector<std::int64_t>& tokens) {
    const std::int64_t m = parameters.integer("m");
    std::int64_t rest = 0;
    for (const std::int64_t token : tokens)
      for (rest += token; rest >= m;) rest -= m;
    return rest;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
