// Who ran what, where and with which versions: one entry of manifest.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/resolve.h"
#include "posenc/run.h"

namespace posenc {

// `arguments` as typed, without the program's name. `resolved` gives every option with its origin; an option that is
// an axis (compare's --pos) stands as it was given. "ended" is null until the invocation ends.
nlohmann::ordered_json describe_invocation(const std::vector<std::string>& arguments, const Resolved& resolved,
                                           const BuildInfo& build);

}  // namespace posenc
