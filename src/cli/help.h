#pragma once

#include <string>

#include "cli/command.h"

namespace posenc {

// The --help text of a command: what it does, then every option with default and range, from the field table.
std::string help_text(const Command& command);

}  // namespace posenc
