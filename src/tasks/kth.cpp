// Is the k-th token odd? Example, k = 3, vocabulary 10: 3 7 1 4 -> 1.
#include <algorithm>

#include "posenc/catalog.h"
#include "tasks/token_parity.h"

namespace posenc {
namespace tasks {

TaskEntry kth() {
  TaskEntry entry;
  entry.name = "kth";
  entry.formula = "x_k mod 2";
  entry.source = "FIRST of Chiang and Cholak 2022 (arXiv 2202.12172), at any place";
  entry.parameters = {{"k", ValueType::integer(1), std::int64_t{3}, "which token, from 1"}};
  entry.least_length = [](const Parameters& parameters) { return std::max<std::int64_t>(2, parameters.integer("k")); };
  entry.make = [](const Parameters& parameters) { return token_parity(parameters.integer("k") - 1); };
  entry.definition = [](const Parameters& parameters, const std::vector<std::int64_t>& tokens) {
    auto token = tokens.begin();
    for (std::int64_t i = 1; i < parameters.integer("k"); ++i) ++token;
    return *token & 1;
  };
  return entry;
}

}  // namespace tasks
}  // namespace posenc
