// Is the last token odd? Example, vocabulary 10: 3 7 1 4 -> 0.
#include "posenc/catalog.h"
#include "tasks/token_parity.h"

namespace posenc {
namespace tasks {

TaskEntry last() {
  TaskEntry entry;
  entry.name = "last";
  entry.formula = "last mod 2";
  entry.source = "FIRST of Chiang and Cholak 2022 (arXiv 2202.12172), from the end";
  entry.make = [](const Parameters&) { return token_parity(-1); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) {
    return tokens.at(tokens.size() - 1) & 1;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
