// The command line as the field table describes it.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace posenc {

struct ParsedOptions {
  Settings settings;     // what was given, unread
  bool help = false;     // --help was given: nothing else counts
  bool version = false;  // --version likewise
  bool verbose = false;  // -v: an error of LibTorch comes with its back trace
};

// `arguments` without the program's and the command's name.
// Throws Error: an unknown option (with the nearest name), one given twice or without its value, a stray argument.
ParsedOptions parse_options(const std::vector<std::string>& arguments);

}  // namespace posenc
