// JSON that somebody else wrote, read strictly: a value is of the kind that is asked for, or Error says which is not.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace posenc {

// A line of JSON, or a value in it with its name: "curve.epoch" for the key `epoch` of the object `curve`. It refers to
// the JSON and the keys that it was made from.
class JsonPart {
 public:
  explicit JsonPart(const nlohmann::ordered_json& line) : json_(line) {}

  bool is_null() const { return json_.is_null(); }
  bool has(std::string_view key) const;
  JsonPart at(std::string_view key) const;

  // The name of the first key that is none of `known`; "" for none.
  std::string unknown_key(const std::vector<std::string>& known) const;

  bool flag() const;
  std::string text() const;
  std::int64_t integer(std::int64_t min, std::int64_t max = kLargest) const;
  double number(double min = kLeastNumber, double max = kLargestNumber) const;
  std::string number_text() const;  // as it is written

  // Arrays. A number that is null is NaN.
  std::vector<bool> flags() const;
  std::vector<std::int64_t> integers(std::int64_t min) const;
  std::vector<std::int64_t> rising(std::int64_t min) const;
  std::vector<double> numbers(double min = kLeastNumber, double max = kLargestNumber) const;
  std::vector<double> shares() const { return numbers(0, 1); }

  // Throws Error unless all `sizes` are `rows`: arrays of this object that stand beside each other.
  void check_rows(std::size_t rows, std::initializer_list<std::size_t> sizes) const;

  std::string name() const;
  [[noreturn]] void refuse(std::string_view kind) const;  // "NAME is not KIND"

 private:
  static constexpr std::int64_t kLargest = 2147483647;
  static constexpr double kLeastNumber = std::numeric_limits<double>::lowest();
  static constexpr double kLargestNumber = std::numeric_limits<double>::max();

  JsonPart(const nlohmann::ordered_json& json, std::string_view key, std::string_view inside)
      : json_(json), key_(key), inside_(inside) {}
  const nlohmann::ordered_json& object() const;
  const nlohmann::ordered_json& array() const;

  const nlohmann::ordered_json& json_;
  std::string_view key_, inside_;
};

}  // namespace posenc
