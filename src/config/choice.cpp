#include "config/choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "posenc/error.h"

namespace posenc {
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos; begin = end + 1)
    pieces.emplace_back(text.substr(begin, end - begin));
  pieces.emplace_back(text.substr(begin));
  return pieces;
}

ChoiceText split_choice(std::string_view text, std::string_view what) {
  const auto refuse = [&](std::string_view why) {
    throw Error(fmt::format("{}: {} (given '{}', allowed: NAME[:key=value[,key=value]...])", what, why, text));
  };
  ChoiceText choice;
  const auto colon = text.find(':');
  choice.name = text.substr(0, colon);
  if (choice.name.empty()) refuse("no name");
  if (colon == std::string_view::npos) return choice;
  for (const std::string& piece : split(text.substr(colon + 1), ',')) {
    const auto equals = piece.find('=');
    if (equals == std::string::npos || equals == 0) refuse("a parameter is not key=value");
    const std::string key = piece.substr(0, equals);
    for (const auto& [earlier, value] : choice.parameters)
      if (earlier == key) refuse(fmt::format("parameter '{}' stands twice", key));
    choice.parameters.emplace_back(key, piece.substr(equals + 1));
  }
  return choice;
}

std::vector<std::string> split_choices(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string& piece : split(text, ',')) {
    const bool continues = !items.empty() && piece.find('=') < piece.find(':');
    if (continues) {
      items.back() += "," + piece;
    } else {
      items.push_back(piece);
    }
  }
  return items;
}

Parameters read_parameters(const CatalogEntry& entry, const ChoiceText& choice, std::string_view what) {
  Parameters parameters;
  std::vector<std::string> known;
  for (const ParameterSpec& spec : entry.parameters) {
    parameters.set(spec.key, spec.fallback);
    known.push_back(spec.key);
  }
  for (const auto& [key, text] : choice.parameters) {
    const auto spec = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                   [&key = key](const ParameterSpec& s) { return s.key == key; });
    if (spec == entry.parameters.end())
      throw Error(fmt::format("{}: unknown parameter of {} (given '{}', known: {}{})", what, entry.name, key,
                              known.empty() ? "none" : fmt::to_string(fmt::join(known, ", ")),
                              nearest_hint(key, known)));
    parameters.set(key, parse_value(spec->type, text, fmt::format("{}: {}:{}", what, entry.name, key)));
  }
  return parameters;
}

void refuse_name(std::string_view given, const std::vector<std::string>& known, std::string_view what,
                 std::string_view kind) {
  throw Error(fmt::format("{}: unknown {} (given '{}', known: {}{})", what, kind, given, fmt::join(known, ", "),
                          nearest_hint(given, known)));
}

std::string canonical_choice(const CatalogEntry& entry, const Parameters& parameters) {
  std::vector<std::string> given;
  for (const ParameterSpec& spec : entry.parameters)
    if (parameters.at(spec.key) != spec.fallback)
      given.push_back(fmt::format("{}={}", spec.key, to_text(parameters.at(spec.key))));
  std::sort(given.begin(), given.end());
  return given.empty() ? entry.name : fmt::format("{}:{}", entry.name, fmt::join(given, ","));
}

}  // namespace posenc
