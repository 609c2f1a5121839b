// Typed values of options and of the parameters of encodings and tasks: what a text may hold, and how it is written.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posenc {

// std::monostate is "not set", which only an option without a default can be.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

inline constexpr std::int64_t kLargestInteger = 2147483647;

struct ValueType {
  enum class Kind { flag, integer, real, text };

  Kind kind = Kind::text;
  std::int64_t least = 0, greatest = kLargestInteger;  // integer: both ends included
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();  // real
  bool lower_open = false, upper_open = false;
  std::vector<std::string> choices;                         // text: empty means any
  std::function<bool(std::string_view)> accepts = nullptr;  // text: a further condition, described by `allowed`
  std::string allowed = {};

  static ValueType flag();
  static ValueType integer(std::int64_t least, std::int64_t greatest = kLargestInteger);
  // `range` as mathematics writes it: "(0, 10]", "[0, 1)"; "inf" is allowed as the upper end.
  static ValueType real(std::string_view range);
  static ValueType text();
  static ValueType text(std::string allowed, std::function<bool(std::string_view)> accepts);
  static ValueType choice(std::vector<std::string> choices);

  // For an error: "integer 2..2147483647", "number in (0, 10]", "a, b", "text"
  std::string describe() const;

  // The same for --help, where the largest integer says nothing: "integer >= 2".
  std::string describe_briefly() const;
};

// Reads `text` as a value of `type`. `what` names it in the error ("--seq-len").
// Throws Error when it is not of the type or outside the range; nan and inf are never values.
Value parse_value(const ValueType& type, std::string_view text, std::string_view what);

// The shortest text that reads back as the same value; an unset value is "".
std::string to_text(const Value& value);

}  // namespace posenc
