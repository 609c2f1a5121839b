// The table of commands. A command is one file and one line of app.cpp.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"

namespace posenc {

struct Command {
  std::string name;  // "" is what posenc does without one
  std::string summary;
  std::string details;                                             // the rest of its --help, whole sentences
  int (*execute)(const ParsedOptions& options, Console& console);  // returns the exit code
};

const std::vector<Command>& commands();

int run_command(const ParsedOptions& options, Console& console);
int compare_command(const ParsedOptions& options, Console& console);
int config_command(const ParsedOptions& options, Console& console);

}  // namespace posenc
