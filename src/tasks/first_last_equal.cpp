// Are the first and the last token the same? In half of the sequences. Example: 3 7 1 3 -> 1.
#include "posenc/catalog.h"
#include "tasks/equal_pair.h"

namespace posenc {
namespace tasks {

TaskEntry first_last_equal() {
  TaskEntry entry;
  entry.name = "first-last-equal";
  entry.formula = "first = last";
  entry.source = "the published task, for the tokens themselves";
  entry.balanced = true;
  entry.make = [](const Parameters&) { return equal_pair(-1); };
  entry.definition = [](const Parameters&, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    return *tokens.begin() == *tokens.rbegin() ? 1 : 0;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
