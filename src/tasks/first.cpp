// Is the first token odd? Example, vocabulary 10: 3 7 1 4 -> 1.
// FIRST of Chiang and Cholak 2022 (arXiv 2202.12172), for any vocabulary.
#include "posenc/catalog.h"
#include "tasks/token_parity.h"

namespace posenc {
namespace tasks {

TaskEntry first() {
  TaskEntry entry;
  entry.name = "first";
  entry.formula = "first mod 2";
  entry.source = "Chiang and Cholak 2022, arXiv 2202.12172";
  entry.make = [](const Parameters&) { return token_parity(0); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) { return tokens.at(0) & 1; };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
