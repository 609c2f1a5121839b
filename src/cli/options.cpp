#include "cli/options.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "config/fields.h"
#include "config/nearest.h"
#include "posenc/error.h"

namespace posenc {
namespace {

std::vector<std::string> option_names() {
  std::vector<std::string> names = {"--help", "--version"};
  for (const std::string& name : field_names()) names.push_back("--" + name);
  return names;
}

[[noreturn]] void refuse_extra(const std::string& argument) {
  if (argument.starts_with("-")) {
    const std::string name = argument.substr(0, argument.find('='));
    throw Error(fmt::format("unknown option (given '{}'{})", name, nearest_hint(name, option_names())));
  }
  std::vector<std::string> names;
  for (const Command& command : commands())
    if (!command.name.empty()) names.push_back(command.name);
  if (nearest(argument, names) == argument)
    throw Error(fmt::format("a command comes first (given '{0}' after options; write: posenc {0} ...)", argument));
  throw Error(fmt::format("unexpected argument (given '{}', commands: {}{})", argument, fmt::join(names, ", "),
                          nearest_hint(argument, names)));
}

// CLI11 takes arguments in reverse order, and "--pos=" for an option without a value rather than with an empty one.
std::vector<std::string> for_cli11(const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed;
  for (auto argument = arguments.rbegin(); argument != arguments.rend(); ++argument) {
    const bool empty_value = argument->starts_with("--") && argument->find('=') == argument->size() - 1;
    if (empty_value) reversed.push_back("");
    reversed.push_back(empty_value ? argument->substr(0, argument->size() - 1) : *argument);
  }
  return reversed;
}

}  // namespace

ParsedOptions parse_options(const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag();  // ours, so that it wins over whatever else is wrong
  app.allow_extras();
  ParsedOptions parsed;
  app.add_flag("-h,--help", parsed.help);
  app.add_flag("--version", parsed.version);
  app.add_flag("-v,--verbose", parsed.verbose);

  // Values are taken as text, as often as given: reading them is the field table's work.
  std::vector<std::pair<const Field*, CLI::Option*>> options;
  for (const Field& field : fields()) {
    CLI::Option* option = nullptr;
    if (field.type.kind == ValueType::Kind::flag) {
      option = app.add_flag("--" + field.name)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    } else {
      option = app.add_option("--" + field.name)
                   ->type_size(1)
                   ->expected(1)
                   ->allow_extra_args(false)
                   ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    options.emplace_back(&field, option);
  }

  try {
    app.parse(for_cli11(arguments));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // begins with the option's name and a colon
    throw Error(fmt::format("{} lacks its value", text.substr(0, text.find(':'))));
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("cannot read the command line ({})", error.what()));
  }
  if (parsed.help || parsed.version) return parsed;
  if (const auto extras = app.remaining(); !extras.empty()) refuse_extra(extras.front());

  for (const auto& [field, option] : options) {
    const auto& given = option->results();
    if (given.empty()) continue;
    if (given.size() > 1)
      throw Error(fmt::format("--{} is given {} times (given {}; allowed: once)", field->name, given.size(),
                              fmt::join(given, ", ")));
    parsed.settings[field->name] = {given.front(), {Origin::Source::flag, "--" + field->name}};
  }
  return parsed;
}

}  // namespace posenc
