// Sequences as a user writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

// "3,1,4,1", with spaces or without, each 0..vocab-1. `what` names it in the error. Throws Error.
std::vector<std::int64_t> parse_tokens(const std::string& text, const RunConfig& config, const std::string& what);

}  // namespace posenc
