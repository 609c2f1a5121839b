// The table of commands. A command is one file and one line of app.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options.h"
#include "config/fields.h"

namespace posenc {

// An option of one command alone. Options of a run are in the field table.
struct ExtraOption {
  std::string name, placeholder;  // no placeholder: a switch
  std::string help;
  ValueType type = ValueType::flag();

  // What was given, read and within its range, or nothing. Throws Error.
  std::optional<Value> read(const ParsedOptions& options) const;
};

// What was given for the one of `extras` that has this name, read and within its range, or nothing. Throws Error.
template <typename T>
std::optional<T> read_extra(const std::vector<ExtraOption>& extras, const ParsedOptions& options,
                            const std::string& name) {
  for (const ExtraOption& extra : extras)
    if (extra.name == name)
      if (const auto value = extra.read(options)) return std::get<T>(*value);
  return std::nullopt;
}

struct Command {
  std::string name;  // "" is what posenc does without one
  std::string summary;
  std::string details;          // the rest of its --help, whole sentences
  bool (*takes)(const Field&);  // which options of a run it reads; any other is an error
  std::string argument;         // placeholder of its arguments that are no options; "" for none
  bool many_arguments = false;
  std::vector<ExtraOption> extras;
  std::map<std::string, std::string> lists;       // the options that take a list here, each with the list it is without
  std::map<std::string, std::string> field_help;  // of options that mean something of their own here
  int (*execute)(const ParsedOptions& options, Console& console);  // returns the exit code
};

const std::vector<Command>& commands();
const std::vector<ExtraOption>& sweep_options();
const std::vector<ExtraOption>& bench_options();
const std::vector<ExtraOption>& diff_options();
const std::vector<ExtraOption>& sample_options();
bool read_by_sweep(const Field& field);
bool read_by_list(const Field& field);

int run_command(const ParsedOptions& options, Console& console);
int compare_command(const ParsedOptions& options, Console& console);
int config_command(const ParsedOptions& options, Console& console);
int eval_command(const ParsedOptions& options, Console& console);
int attention_command(const ParsedOptions& options, Console& console);
int predict_command(const ParsedOptions& options, Console& console);
int doctor_command(const ParsedOptions& options, Console& console);
int bench_command(const ParsedOptions& options, Console& console);
int sample_command(const ParsedOptions& options, Console& console);
int list_command(const ParsedOptions& options, Console& console);
int inspect_command(const ParsedOptions& options, Console& console);
int report_command(const ParsedOptions& options, Console& console);
int diff_command(const ParsedOptions& options, Console& console);
int sweep_command(const ParsedOptions& options, Console& console);
int merge_command(const ParsedOptions& options, Console& console);

}  // namespace posenc
