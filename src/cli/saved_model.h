// What the commands on saved models share: which model, and what is known of how it was trained.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "config/resolve.h"
#include "posenc/run.h"

namespace posenc {

// The one argument that is no option. Throws Error when it is missing.
std::string model_argument(const ParsedOptions& options);

struct SavedModel {
  RunConfig config;
  std::vector<LengthSteps> steps_at;  // of its training; empty where nothing says
  std::int64_t data_seed;             // of the data that it was trained on

  std::vector<std::int64_t> trained() const { return trained_on(config, steps_at); }
};

// `flags` over what the folder of results keeps for FOLDER/models/ID.pt, over the rest of gather(). A file without
// such a folder is what the options say. `tested`: --eval-len is read, too. Throws Error.
SavedModel saved_model(const std::string& path, const Settings& flags, bool tested = false);

}  // namespace posenc
