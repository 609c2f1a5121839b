#include "cli/tokens.h"

#include "config/choice.h"
#include "posenc/value.h"

namespace posenc {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

std::vector<std::int64_t> parse_tokens(const std::string& text, const RunConfig& config, const std::string& what) {
  const ValueType type = ValueType::integer(0, config.vocab - 1);
  std::vector<std::int64_t> tokens;
  for (const std::string& piece : split(text, ','))
    tokens.push_back(std::get<std::int64_t>(parse_value(type, trimmed(piece), what)));
  return tokens;
}

}  // namespace posenc
