#include "config/settings.h"

#include <cstdlib>

#include "config/fields.h"

namespace posenc {

std::string Origin::describe(const std::string& field) const {
  switch (source) {
    case Source::file:
      return where + ": " + field;
    case Source::environment:
      return where;
    case Source::flag:
    case Source::fallback:
      break;
  }
  return "--" + field;
}

std::string origin_text(const Field& field, const Origin& origin) {
  if (origin.source != Origin::Source::fallback) return origin.where;
  return field.derive ? "default, from " + field.derived_text : "default";
}

Settings read_environment() {
  Settings settings;
  for (const Field& field : fields()) {
    if (field.environment.empty()) continue;
    const char* value = std::getenv(field.environment.c_str());
    if (value != nullptr && *value != '\0')
      settings[field.name] = {value, {Origin::Source::environment, field.environment}};
  }
  return settings;
}

void merge_below(Settings& settings, const Settings& lower) {
  const Settings above = settings;
  const auto is_said_above = [&](const Field& field) {
    const Field* alternative = alternative_to(field);
    return above.contains(field.name) || above.contains(field.instead_of) ||
           (alternative != nullptr && above.contains(alternative->name));
  };
  for (const auto& [name, setting] : lower) {
    const Field& field = *find_field(name);
    const Field* needed = find_field(field.needs);
    const bool lost_its_object = needed != nullptr && !above.contains(needed->name) && is_said_above(*needed);
    if (!is_said_above(field) && !lost_its_object) settings.emplace(name, setting);
  }
}

Settings gather(const Settings& flags) {
  Settings settings = flags;
  merge_below(settings, read_environment());
  if (const auto file = flags.find("config"); file != flags.end()) merge_below(settings, read_toml(file->second.text));
  return settings;
}

SweepSettings gather_sweep(const Settings& flags) {
  SweepSettings all;
  const auto file = flags.find("config");
  if (file != flags.end()) all = read_sweep_toml(file->second.text);
  Settings settings = flags;
  merge_below(settings, read_environment());
  merge_below(settings, all.settings);
  all.settings = std::move(settings);
  return all;
}

}  // namespace posenc
