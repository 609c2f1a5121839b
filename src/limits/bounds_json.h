// Bounds as JSON.
#pragma once

#include <optional>

#include "base/json.h"
#include "posenc/bounds.h"

namespace posenc {

inline nlohmann::ordered_json bounds_json(const std::optional<Bounds>& bounds) {
  if (!bounds) return nullptr;
  return {{"majority", bounds->majority},
          {"guessing", {bounds->guess_lower, bounds->guess_upper}},
          {"ceiling", json_number(bounds->ceiling)},
          {"reason", bounds->reason}};
}

}  // namespace posenc
