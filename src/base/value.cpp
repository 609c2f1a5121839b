#include "posenc/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/nearest.h"
#include "posenc/error.h"

namespace posenc {
namespace {

[[noreturn]] void refuse(const ValueType& type, std::string_view text, std::string_view what, std::string_view why) {
  throw Error(fmt::format("{} {} (given '{}', allowed: {}{})", what, why, text, type.describe(),
                          nearest_hint(text, type.choices)));
}

template <typename Number>
std::errc read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end != text.data() + text.size()) return std::errc::invalid_argument;
  return error;
}

std::int64_t parse_integer(const ValueType& type, std::string_view text, std::string_view what) {
  std::int64_t number = 0;
  const std::errc error = read_number(text, number);
  if (error == std::errc::invalid_argument) refuse(type, text, what, "is not an integer");
  if (error != std::errc() || number < type.least || number > type.greatest)
    refuse(type, text, what, "is out of range");
  return number;
}

double parse_real(const ValueType& type, std::string_view text, std::string_view what) {
  double number = 0;
  const std::errc error = read_number(text, number);
  if (error == std::errc::invalid_argument) refuse(type, text, what, "is not a number");
  if (error == std::errc::result_out_of_range) refuse(type, text, what, "is beyond double precision");
  const bool inside = std::isfinite(number) && (type.lower_open ? number > type.lower : number >= type.lower) &&
                      (type.upper_open ? number < type.upper : number <= type.upper);
  if (!inside) refuse(type, text, what, "is out of range");
  return number;
}

bool parse_flag(const ValueType& type, std::string_view text, std::string_view what) {
  if (text != "true" && text != "false") refuse(type, text, what, "is not a switch");
  return text == "true";
}

std::string parse_text(const ValueType& type, std::string_view text, std::string_view what) {
  const auto& choices = type.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end())
    refuse(type, text, what, "is unknown");
  if (type.accepts && !type.accepts(text)) refuse(type, text, what, "is not allowed");
  return std::string(text);
}

}  // namespace

ValueType ValueType::flag() { return {.kind = Kind::flag}; }

ValueType ValueType::integer(std::int64_t least, std::int64_t greatest) {
  return {.kind = Kind::integer, .least = least, .greatest = greatest};
}

ValueType ValueType::real(std::string_view range) {
  ValueType type{.kind = Kind::real};
  const auto comma = range.find(", ");
  type.lower_open = range.front() == '(';
  type.upper_open = range.back() == ')';
  read_number(range.substr(1, comma - 1), type.lower);
  read_number(range.substr(comma + 2, range.size() - comma - 3), type.upper);
  type.allowed = range;
  return type;
}

ValueType ValueType::text() { return {.kind = Kind::text}; }

ValueType ValueType::text(std::string allowed, std::function<bool(std::string_view)> accepts) {
  return {.kind = Kind::text, .accepts = std::move(accepts), .allowed = std::move(allowed)};
}

ValueType ValueType::choice(std::vector<std::string> choices) {
  return {.kind = Kind::text, .choices = std::move(choices)};
}

std::string ValueType::describe() const {
  switch (kind) {
    case Kind::flag:
      return "true or false";
    case Kind::integer:
      return fmt::format("integer {}..{}", least, greatest);
    case Kind::real:
      return fmt::format("number in {}", allowed);
    case Kind::text:
      break;
  }
  if (!choices.empty()) return fmt::format("{}", fmt::join(choices, ", "));
  return allowed.empty() ? "text" : allowed;
}

std::string ValueType::describe_briefly() const {
  const bool open_ended = kind == Kind::integer && greatest == kLargestInteger;
  return open_ended ? fmt::format("integer >= {}", least) : describe();
}

Value parse_value(const ValueType& type, std::string_view text, std::string_view what) {
  switch (type.kind) {
    case ValueType::Kind::flag:
      return parse_flag(type, text, what);
    case ValueType::Kind::integer:
      return parse_integer(type, text, what);
    case ValueType::Kind::real:
      return parse_real(type, text, what);
    case ValueType::Kind::text:
      break;
  }
  return parse_text(type, text, what);
}

std::string to_text(const Value& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return fmt::to_string(number); }
    std::string operator()(double number) const { return fmt::to_string(number); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Writer{}, value);
}

}  // namespace posenc
