// "Did you mean": the known name that is closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace posenc {

// The least number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

// The closest of `known`, or "" when none is close enough to be a plausible typo.
std::string nearest(std::string_view given, const std::vector<std::string>& known);

// ", nearest: NAME" for the end of an error's parenthesis, or "".
std::string nearest_hint(std::string_view given, const std::vector<std::string>& known);

}  // namespace posenc
