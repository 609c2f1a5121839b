// The place on a ring of five after all moves, 0 a step back, 1 none, 2 a step ahead. Example: 2 2 1 0 -> 1.
#include "posenc/catalog.h"
#include "tasks/residue_sum.h"

namespace posenc {
namespace tasks {

TaskEntry cycle_navigation() {
  TaskEntry entry;
  entry.name = "cycle-navigation";
  entry.formula = "(sum of moves) mod 5, moves -1, 0, +1 for tokens 0, 1, 2";
  entry.source = "Deletang et al. 2023, arXiv 2207.02098";
  entry.vocab = 3;
  entry.make = [](const Parameters&) { return residue_sum(5, -1); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) {
    constexpr std::int64_t kBack[] = {4, 0, 1, 2, 3}, kAhead[] = {1, 2, 3, 4, 0};
    std::int64_t place = 0;
    for (const std::int64_t move : tokens) place = move == 0 ? kBack[place] : move == 2 ? kAhead[place] : place;
    return place;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
