#include "tools/catalog_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "config/choice.h"

namespace posenc {

std::string entry_text(const CatalogEntry& entry) {
  std::string text =
      fmt::format("{:<12}{}{}\n    {}\n", entry.name, entry.name.size() < 12 ? "" : "  ", entry.formula, entry.source);
  for (const ParameterSpec& spec : entry.parameters)
    text += fmt::format("    {:<22}{}; {}\n", spec.key + "=" + to_text(spec.fallback), spec.help,
                        spec.type.describe_briefly());
  return text;
}

nlohmann::ordered_json entry_json(const CatalogEntry& entry) {
  auto parameters = nlohmann::ordered_json::array();
  for (const ParameterSpec& spec : entry.parameters)
    parameters.push_back({{"key", spec.key},
                          {"default", json_value(spec.fallback)},
                          {"allowed", spec.type.describe()},
                          {"help", spec.help}});
  return {{"name", entry.name}, {"formula", entry.formula}, {"source", entry.source}, {"parameters", parameters}};
}

std::string parameters_cell(const CatalogEntry& entry) {
  std::vector<std::string> all;
  for (const ParameterSpec& spec : entry.parameters)
    all.push_back(fmt::format("`{}={}`", spec.key, to_text(spec.fallback)));
  return fmt::format("{}", fmt::join(all, " "));
}

Parameters defaults_of(const CatalogEntry& entry) { return read_parameters(entry, {entry.name, {}}, entry.name); }

}  // namespace posenc
