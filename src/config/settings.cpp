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

Settings gather(const Settings& flags) {
  Settings settings = flags;
  settings.merge(read_environment());  // merge() keeps what is there
  if (const auto file = flags.find("config"); file != flags.end()) settings.merge(read_toml(file->second.text));
  return settings;
}

SweepSettings gather_sweep(const Settings& flags) {
  SweepSettings all;
  const auto file = flags.find("config");
  if (file != flags.end()) all = read_sweep_toml(file->second.text);
  Settings settings = flags;
  settings.merge(read_environment());
  settings.merge(all.settings);
  all.settings = std::move(settings);
  return all;
}

}  // namespace posenc
