#include "cli/options.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest.h"
#include "cli/command.h"
#include "config/fields.h"
#include "posenc/error.h"

namespace posenc {
namespace {

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names = {"--help", "--version", "--verbose"};
  for (const Field& field : fields())
    if (command.takes(field)) names.push_back("--" + field.name);
  for (const ExtraOption& extra : command.extras) names.push_back("--" + extra.name);
  return names;
}

[[noreturn]] void refuse_extra(const std::string& argument, const Command& command) {
  if (argument.starts_with("-")) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && find_field(name.substr(2)) != nullptr)
      throw Error(fmt::format("{} does not read this option (given '{}')", command.name, name));
    throw Error(fmt::format("unknown option (given '{}'{})", name, nearest_hint(name, option_names(command))));
  }
  std::vector<std::string> names;
  for (const Command& known : commands())
    if (!known.name.empty()) names.push_back(known.name);
  if (std::find(names.begin(), names.end(), argument) != names.end())
    throw Error(fmt::format(
        "a command comes first, and there is one at most (given '{0}' later; write: posenc {0} ...)", argument));
  if (!command.argument.empty() && !command.many_arguments)
    throw Error(fmt::format("{} takes one {} (given '{}' as well)", command.name, command.argument, argument));
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

std::optional<Value> ExtraOption::read(const ParsedOptions& options) const {
  const auto given = options.extras.find(name);
  if (given == options.extras.end()) return std::nullopt;
  return parse_value(type, given->second, "--" + name);
}

ParsedOptions parse_options(const std::vector<std::string>& arguments, const Command& command) {
  CLI::App app;
  app.set_help_flag();  // ours, so that it wins over whatever else is wrong
  app.allow_extras();
  ParsedOptions parsed;
  app.add_flag("-h,--help", parsed.help);
  app.add_flag("--version", parsed.version);
  app.add_flag("-v,--verbose", parsed.verbose);

  // Values are taken as text, as often as given: reading them is the field table's work.
  std::vector<std::pair<std::string, CLI::Option*>> options;
  const auto add_option = [&](const std::string& name) {
    options.emplace_back(name, app.add_option("--" + name)
                                   ->type_size(1)
                                   ->expected(1)
                                   ->allow_extra_args(false)
                                   ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  };
  const auto add_switch = [&](const std::string& name) {
    options.emplace_back(name, app.add_flag("--" + name)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  };
  for (const Field& field : fields()) {
    if (!command.takes(field)) continue;
    if (field.type.kind == ValueType::Kind::flag) {
      add_switch(field.name);
    } else {
      add_option(field.name);
    }
  }
  for (const ExtraOption& extra : command.extras) {
    if (extra.placeholder.empty()) {
      add_switch(extra.name);
    } else {
      add_option(extra.name);
    }
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
  std::vector<std::string> rest = app.remaining();
  const std::size_t most = command.argument.empty() ? 0 : command.many_arguments ? rest.size() : 1;
  while (!rest.empty() && parsed.positional.size() < most && !rest.front().starts_with("-")) {
    parsed.positional.push_back(rest.front());
    rest.erase(rest.begin());
  }
  if (!rest.empty()) refuse_extra(rest.front(), command);

  for (const auto& [name, option] : options) {
    const auto& given = option->results();
    if (given.empty()) continue;
    if (given.size() > 1)
      throw Error(
          fmt::format("--{} is given {} times (given {}; allowed: once)", name, given.size(), fmt::join(given, ", ")));
    if (find_field(name) != nullptr) {
      parsed.settings[name] = {given.front(), {Origin::Source::flag, "--" + name}};
    } else {
      parsed.extras[name] = given.front();
    }
  }
  return parsed;
}

}  // namespace posenc
