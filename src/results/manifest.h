// Who ran what, where and with which versions: manifest.json and one entry of it.
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

// What to do about files of another schema, for errors.
inline constexpr const char* kReadWithItsRelease = "read the folder with the release of posenc that wrote it";

// The manifest of a folder of results. Throws Error (usage): it cannot be read, is damaged or of another schema.
nlohmann::ordered_json read_manifest(const std::string& folder);

// For what reads results alone, and can do without a manifest: throws Error (usage) where there is one of another
// schema.
void check_manifest_schema(const std::string& folder);

}  // namespace posenc
