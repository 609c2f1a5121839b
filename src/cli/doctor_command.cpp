// posenc doctor: what posenc promises, tried on this machine, a line each.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "config/choice.h"
#include "config/resolve.h"
#include "posenc/doctor.h"
#include "posenc/error.h"

namespace posenc {
namespace {

const char* outcome_name(Check::Outcome outcome) {
  switch (outcome) {
    case Check::Outcome::passed:
      return "passed";
    case Check::Outcome::failed:
      return "failed";
    case Check::Outcome::skipped:
      break;
  }
  return "skipped";
}

void print(const Check& check, bool json, Console& console) {
  if (json) {
    console.print("{}", nlohmann::ordered_json{{"check", check.name},
                                               {"subject", check.subject},
                                               {"outcome", outcome_name(check.outcome)},
                                               {"figure", check.figure}}
                            .dump());
  } else {
    console.print("{:<8} {:<12} {:<19} {}", outcome_name(check.outcome), check.name, check.subject, check.figure);
  }
}

template <typename Entry>
std::vector<std::string> names(const std::vector<Entry>& entries) {
  std::vector<std::string> all;
  for (const Entry& entry : entries) all.push_back(entry.name);
  return all;
}

// The choices that were given for an option, each read with the others at their first; nothing where none were.
std::vector<std::string> given_choices(Settings& settings, const char* option, std::string RunConfig::*member) {
  const auto setting = settings.find(option);
  if (setting == settings.end()) return {};
  std::vector<std::string> choices;
  for (const std::string& choice : split_choices(setting->second.text)) {
    Settings one = settings;
    one[option].text = choice;
    choices.push_back(resolve(one, catalog()).config.*member);
  }
  setting->second.text = choices.front();
  return choices;
}

}  // namespace

int doctor_command(const ParsedOptions& options, Console& console) {
  Settings settings = gather(options.settings);
  for (const char* option : {"pos", "task"})  // so that reading one list meets no other
    if (const auto setting = settings.find(option); setting != settings.end() && setting->second.text.empty())
      throw Error(fmt::format("--{}: the list is empty (allowed: NAME,NAME,...)", option));
  Settings without_tasks = settings;
  without_tasks.erase("task");
  std::vector<std::string> encodings = given_choices(without_tasks, "pos", &RunConfig::pos);
  if (!encodings.empty()) settings["pos"].text = encodings.front();
  std::vector<std::string> tasks = given_choices(settings, "task", &RunConfig::task);
  const RunConfig config = resolve(settings, catalog()).config;
  if (encodings.empty()) encodings = names(catalog().encodings);
  if (tasks.empty()) tasks = names(catalog().tasks);

  console.keep_going();  // the exit code is a result
  const std::vector<Check> checks =
      doctor(config, encodings, tasks, [&](const Check& check) { print(check, config.json, console); });
  const auto count = [&](Check::Outcome outcome) {
    return std::count_if(checks.begin(), checks.end(), [&](const Check& check) { return check.outcome == outcome; });
  };
  const auto failed = count(Check::Outcome::failed);
  const std::string summary = fmt::format("{} checks: {} passed, {} failed, {} skipped", checks.size(),
                                          count(Check::Outcome::passed), failed, count(Check::Outcome::skipped));
  if (config.json) {
    console.say("{}", summary);
  } else {
    console.print("{}", summary);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace posenc
