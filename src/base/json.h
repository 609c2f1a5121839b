// Values as JSON: what JSON has no word for is null.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "posenc/value.h"

namespace posenc {

// On one line, or indented by `indent`. The name of a folder may be any bytes and JSON holds UTF-8 alone: what is no
// UTF-8 stands as the replacement character, so that a name never costs a result.
inline std::string json_line(const nlohmann::ordered_json& json, int indent = -1) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace);
}

// `text` itself where it is UTF-8.
inline std::string valid_utf8(std::string_view text) { return nlohmann::json::parse(json_line(text)); }

inline nlohmann::ordered_json json_number(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_number(const std::optional<double>& number) {
  return number ? json_number(*number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return json_number(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

}  // namespace posenc
