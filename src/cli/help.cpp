#include "cli/help.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "config/fields.h"
#include "posenc/catalog.h"

namespace posenc {
namespace {

// Whether `text` names the option `name`, with or without its dashes: "seq-len" does not name "len".
bool mentions(const std::string& text, const std::string& name) {
  const auto words = std::regex("[a-z0-9]+(-[a-z0-9]+)*");
  return std::any_of(std::sregex_iterator(text.begin(), text.end(), words), std::sregex_iterator(),
                     [&](const std::smatch& word) { return word.str() == name; });
}

// "16, or the longest of train-len" is just "16" for a command that does not read --train-len.
std::string default_for(const Field& field, const Command& command) {
  const std::string text = field.default_text();
  const std::size_t comma = text.find(", ");
  if (comma == std::string::npos) return text;
  const std::string condition = text.substr(comma);
  const bool depends_on_unread = std::any_of(fields().begin(), fields().end(), [&](const Field& other) {
    return !command.takes(other) && mentions(condition, other.name);
  });
  return depends_on_unread ? text.substr(0, comma) : text;
}

std::string option_line(const Field& field, const Command& command) {
  const auto list = command.lists.find(field.name);
  const bool takes_list = list != command.lists.end();
  std::vector<std::string> notes;
  if (field.type.kind != ValueType::Kind::flag) {
    if (const std::string fallback = takes_list ? list->second : default_for(field, command); !fallback.empty())
      notes.push_back("default " + fallback);
    if (const std::string range = field.type.describe_briefly(); range != "text") notes.push_back(range);
    if (!field.environment.empty()) notes.push_back("environment " + field.environment);
  }
  const std::string flag = fmt::format("--{} {}", field.name, takes_list ? "A,B,..." : field.placeholder);
  const auto own_help = command.field_help.find(field.name);
  return fmt::format("  {:<21}{}{}{}\n", flag, own_help != command.field_help.end() ? own_help->second : field.help,
                     notes.empty() ? "" : "; ", fmt::join(notes, "; "));
}

template <typename Entry>
std::string entry_lines(const std::string& title, const std::vector<Entry>& entries) {
  std::string text = fmt::format("\n{}\n", title);
  for (const Entry& entry : entries) text += fmt::format("  {:<21}{}\n", entry.name, entry.formula);
  return text;
}

// With their parameters, which no other command lists.
std::string schedule_lines() {
  std::string text = "\nSchedules (--schedule), of the step s from 0\n";
  for (const ScheduleEntry& entry : catalog().schedules) {
    std::vector<std::string> parameters;
    for (const ParameterSpec& spec : entry.parameters)
      parameters.push_back(fmt::format("{}={}", spec.key, to_text(spec.fallback)));
    text += fmt::format("  {:<21}{}{}{}\n", entry.name, entry.formula, parameters.empty() ? "" : "; ",
                        fmt::join(parameters, ", "));
  }
  return text;
}

}  // namespace

std::string help_text(const Command& command) {
  std::string usage = "posenc";
  for (const std::string& word : {command.name, command.argument})
    if (!word.empty()) usage += " " + word;
  if (command.many_arguments && command.argument.find(' ') == std::string::npos) usage += "...";
  std::string text = fmt::format("{} [options]\n{}\n{}", usage, command.summary, command.details);
  if (command.name.empty()) {
    text += "\nCommands (posenc COMMAND --help says more)\n";
    for (const Command& other : commands())
      if (!other.name.empty()) text += fmt::format("  {:<21}{}\n", other.name, other.summary);
  }
  std::string group;
  if (!command.extras.empty()) text += "\nOf this command\n";
  for (const ExtraOption& extra : command.extras)
    text += fmt::format("  {:<21}{}\n", fmt::format("--{} {}", extra.name, extra.placeholder), extra.help);
  for (const Field& field : fields()) {
    if (!command.takes(field)) continue;
    if (field.group != group) text += fmt::format("\n{}\n", group = field.group);
    text += option_line(field, command);
  }
  text += "\nOther\n";
  text += fmt::format("  {:<21}{}\n", "-h, --help", "this text");
  text += fmt::format("  {:<21}{}\n", "--version", "versions of posenc and LibTorch, and whether CUDA is there");
  text +=
      fmt::format("  {:<21}{}\n", "-v, --verbose", "errors of LibTorch with their back trace, and the engine of a run");
  const auto takes = [&](const char* field) { return command.takes(*find_field(field)); };
  if (takes("pos")) {
    text += entry_lines("Position encodings (--pos)", catalog().encodings);
    text += entry_lines("Wrappers (--pos NAME+WRAPPER)", catalog().wrappers);
  }
  if (takes("schedule")) text += schedule_lines();
  if (takes("task")) text += entry_lines("Tasks (--task)", catalog().tasks);
  text +=
      "\nExit codes: 0 good, 1 something failed or missed what was expected, 2 bad usage, 130 interrupted, 143 "
      "terminated.";
  return text;
}

}  // namespace posenc
