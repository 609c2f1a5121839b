// Values as JSON: what JSON has no word for is null.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "posenc/value.h"

namespace posenc {

inline nlohmann::ordered_json json_number(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json json_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return json_number(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

}  // namespace posenc
