// Does the first token occur again k places later? In half of the sequences. Example, k = 3: 3 7 1 3 -> 1.
// A question of distance alone.
#include "posenc/catalog.h"
#include "tasks/equal_pair.h"

namespace posenc {
namespace tasks {

TaskEntry repeat_at() {
  TaskEntry entry;
  entry.name = "repeat-at";
  entry.formula = "x_1 = x_(1+k)";
  entry.source = "posenc";
  entry.parameters = {{"k", ValueType::integer(1), std::int64_t{3}, "distance of the two tokens"}};
  entry.balanced = true;
  entry.least_length = [](const Parameters& parameters) { return parameters.integer("k") + 1; };
  entry.make = [](const Parameters& parameters) { return equal_pair(parameters.integer("k")); };
  entry.definition = [](const Parameters& parameters, const std::vector<std::int64_t>& tokens) -> std::int64_t {
    std::int64_t places = parameters.integer("k");
    for (const std::int64_t token : tokens)
      if (places-- == 0) return token == tokens.front() ? 1 : 0;
    return 0;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
