// What the commands on saved models share: which model, and which configuration it was trained with.
#pragma once

#include <string>

#include "cli/options.h"
#include "config/resolve.h"

namespace posenc {

// The one argument that is no option. Throws Error when it is missing.
std::string model_argument(const ParsedOptions& options);

// `flags` over the configuration that the folder of results keeps for FOLDER/models/ID.pt, over the rest of gather().
Settings settings_for_model(const std::string& model, const Settings& flags);

}  // namespace posenc
