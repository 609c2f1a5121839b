// posenc config [options]: the resolved options and where each came from, as TOML that posenc reads back.
#include "base/json.h"
#include "cli/command.h"
#include "config/fields.h"
#include "config/resolve.h"

namespace posenc {
namespace {

// A string of TOML is one of JSON, but for the one further character that has to be escaped.
std::string toml_value(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return to_text(value);
  std::string quoted;
  for (const char c : json_line(*text)) quoted += c == '\x7f' ? "\\u007F" : std::string(1, c);
  return quoted;
}

bool is_utf8(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr || valid_utf8(*text) == *text;
}

}  // namespace

int config_command(const ParsedOptions& options, Console& console) {
  const Resolved resolved = resolve(gather(options.settings), catalog());
  nlohmann::ordered_json all;
  for (const Field& field : fields()) {
    if (!field.in_file) continue;
    const Value value = field.get(resolved.config);
    // The name of a file may be any bytes, and a comment is one line of UTF-8.
    const std::string origin = valid_utf8(one_line(origin_text(field, resolved.settings.at(field.name).origin)));
    if (resolved.config.json) {
      all[field.name] = {{"value", json_value(value)}, {"origin", origin}};
    } else if (to_text(value).empty()) {
      console.print("{:<36} # not set", fmt::format("# {} =", field.name));
    } else if (!is_utf8(value)) {
      console.print("{:<36} # {}; it is not UTF-8, which a TOML file has to be: give it as a flag",
                    fmt::format("# {} = {}", field.name, toml_value(value)), origin);
    } else if (is_displaced(field, resolved.config)) {
      console.print("{:<36} # follows from {}", fmt::format("# {} = {}", field.name, toml_value(value)),
                    alternative_to(field)->name);
    } else {
      console.print("{:<36} # {}", fmt::format("{} = {}", field.name, toml_value(value)), origin);
    }
  }
  if (resolved.config.json) console.print("{}", json_line(all));
  return 0;
}

}  // namespace posenc
