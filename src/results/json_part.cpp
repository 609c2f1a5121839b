#include "results/json_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "posenc/error.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

bool is_integer(const ordered_json& json, std::int64_t min, std::int64_t max) {
  if (!json.is_number_integer()) return false;
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(max)) return false;
  return json.get<std::int64_t>() >= min && json.get<std::int64_t>() <= max;
}

bool is_number(const ordered_json& json, double min, double max) {
  return json.is_number() && json.get<double>() >= min && json.get<double>() <= max;
}

}  // namespace

std::string JsonPart::name() const {
  if (key_.empty()) return "the line";
  return inside_.empty() ? std::string(key_) : fmt::format("{}.{}", inside_, key_);
}

void JsonPart::refuse(std::string_view kind) const { throw Error(fmt::format("{} is not {}", name(), kind)); }

const ordered_json& JsonPart::object() const {
  if (!json_.is_object()) refuse("an object");
  return json_;
}

const ordered_json& JsonPart::array() const {
  if (!json_.is_array()) refuse("an array");
  return json_;
}

bool JsonPart::has(std::string_view key) const { return object().contains(key); }

JsonPart JsonPart::at(std::string_view key) const {
  const auto found = object().find(key);
  if (found == json_.end()) throw Error(fmt::format("{} is missing", JsonPart(json_, key, key_).name()));
  return {*found, key, key_};
}

std::string JsonPart::unknown_key(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : object().items())
    if (std::find(known.begin(), known.end(), key) == known.end()) return JsonPart(value, key, key_).name();
  return "";
}

bool JsonPart::flag() const {
  if (!json_.is_boolean()) refuse("true or false");
  return json_.get<bool>();
}

std::string JsonPart::text() const {
  if (!json_.is_string()) refuse("a text");
  return json_.get<std::string>();
}

std::int64_t JsonPart::integer(std::int64_t min, std::int64_t max) const {
  if (!is_integer(json_, min, max)) refuse(fmt::format("an integer from {} to {}", min, max));
  return json_.get<std::int64_t>();
}

double JsonPart::number(double min, double max) const {
  if (!is_number(json_, min, max)) refuse("a number in its range");
  return json_.get<double>();
}

std::string JsonPart::number_text() const {
  if (!json_.is_number()) refuse("a number");
  return json_.dump();
}

std::vector<bool> JsonPart::flags() const {
  std::vector<bool> values;
  for (const ordered_json& each : array()) {
    if (!each.is_boolean()) refuse("an array of true and false");
    values.push_back(each.get<bool>());
  }
  return values;
}

std::vector<std::int64_t> JsonPart::integers(std::int64_t min) const {
  std::vector<std::int64_t> values;
  for (const ordered_json& each : array()) {
    if (!is_integer(each, min, kLargest)) refuse(fmt::format("an array of integers from {} to {}", min, kLargest));
    values.push_back(each.get<std::int64_t>());
  }
  return values;
}

std::vector<std::int64_t> JsonPart::rising(std::int64_t min) const {
  std::vector<std::int64_t> values = integers(min);
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) != values.end())
    refuse("an array that rises");
  return values;
}

std::vector<double> JsonPart::numbers(double min, double max) const {
  std::vector<double> values;
  for (const ordered_json& each : array()) {
    if (!each.is_null() && !is_number(each, min, max)) refuse("an array of numbers in their range");
    values.push_back(each.is_null() ? std::nan("") : each.get<double>());
  }
  return values;
}

void JsonPart::check_rows(std::size_t rows, std::initializer_list<std::size_t> sizes) const {
  if (std::any_of(sizes.begin(), sizes.end(), [&](std::size_t size) { return size != rows; }))
    throw Error(fmt::format("{} has arrays of different lengths", name()));
}

}  // namespace posenc
