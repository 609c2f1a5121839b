// Values as JSON: what JSON has no word for is null.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "posenc/bounds.h"
#include "posenc/value.h"

namespace posenc {

inline nlohmann::ordered_json json_number(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_number(const std::optional<double>& number) {
  return number ? json_number(*number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json bounds_json(const std::optional<Bounds>& bounds) {
  if (!bounds) return nullptr;
  return {{"majority", bounds->majority},
          {"guessing", {bounds->guess_lower, bounds->guess_upper}},
          {"ceiling", json_number(bounds->ceiling)},
          {"reason", bounds->reason}};
}

inline nlohmann::ordered_json json_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return json_number(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

}  // namespace posenc
