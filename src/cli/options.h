// The command line as the field table describes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/settings.h"

namespace posenc {

struct ParsedOptions {
  std::vector<std::string> arguments;         // the whole command line as typed, command first
  Settings settings;                          // what was given, unread
  std::map<std::string, std::string> extras;  // options of the command alone, by name
  std::map<std::string, std::string> lists;   // what the command's lists are without their options
  std::vector<std::string> positional;        // its arguments, where it takes any
  bool help = false;                          // --help was given: nothing else counts
  bool version = false;                       // --version likewise
  bool verbose = false;                       // -v: an error of LibTorch comes with its back trace
};

struct Command;

// `arguments` without the program's and the command's name.
// Throws Error: an unknown option (with the nearest name), one given twice or without its value, a stray argument.
ParsedOptions parse_options(const std::vector<std::string>& arguments, const Command& command);

}  // namespace posenc
