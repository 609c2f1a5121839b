// posenc config [options]: the resolved options and where each came from, as TOML that posenc reads back.
#include "cli/command.h"
#include "config/fields.h"
#include "config/resolve.h"
#include "report/json.h"

namespace posenc {
namespace {

std::string toml_value(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return nlohmann::json(*text).dump();
  return to_text(value);
}

}  // namespace

int config_command(const ParsedOptions& options, Console& console) {
  const Resolved resolved = resolve(gather(options.settings), catalog());
  nlohmann::ordered_json all;
  for (const Field& field : fields()) {
    if (!field.in_file) continue;
    const Value value = field.get(resolved.config);
    const std::string origin = origin_text(field, resolved.settings.at(field.name).origin);
    if (resolved.config.json) {
      all[field.name] = {{"value", json_value(value)}, {"origin", origin}};
    } else if (to_text(value).empty()) {
      console.print("{:<36} # not set", fmt::format("# {} =", field.name));
    } else if (is_displaced(field, resolved.config)) {
      console.print("{:<36} # follows from {}", fmt::format("# {} = {}", field.name, toml_value(value)),
                    alternative_to(field)->name);
    } else {
      console.print("{:<36} # {}", fmt::format("{} = {}", field.name, toml_value(value)), origin);
    }
  }
  if (resolved.config.json) console.print("{}", all.dump());
  return 0;
}

}  // namespace posenc
