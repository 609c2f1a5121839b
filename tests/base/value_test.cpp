#include "posenc/value.h"

#include "posenc/error.h"
#include "support/catch.h"

using namespace posenc;

TEST_CASE("an integer is read whole and within its range", "[base]") {
  const ValueType type = ValueType::integer(1);
  CHECK(std::get<std::int64_t>(parse_value(type, "1", "--x")) == 1);
  CHECK(std::get<std::int64_t>(parse_value(type, "2147483647", "--x")) == 2147483647);
  for (const char* bad : {"", "0", "-1", "2147483648", "99999999999999999999", "1.0", "1e3", "+1", " 1", "1 ", "0x10",
                          "one", "nan", "inf"})
    CHECK_THROWS_AS(parse_value(type, bad, "--x"), Error);
}

TEST_CASE("a seed has 32 bits", "[base]") {
  const ValueType type = ValueType::integer(0, 4294967295);
  CHECK(std::get<std::int64_t>(parse_value(type, "4294967295", "--seed")) == 4294967295);
  CHECK_THROWS_AS(parse_value(type, "4294967296", "--seed"), Error);
}

TEST_CASE("a range writes its ends as mathematics does", "[base]") {
  const ValueType rate = ValueType::real("(0, 10]"), share = ValueType::real("[0, 1)");
  CHECK(std::get<double>(parse_value(rate, "10", "--lr")) == 10);
  CHECK(std::get<double>(parse_value(rate, "1e-3", "--lr")) == 1e-3);
  CHECK(std::get<double>(parse_value(share, "0", "--dropout")) == 0);
  for (const char* bad : {"0", "10.001", "-1", "nan", "inf", "-inf", "1e999", "1e-999", "0,1", "", "x"})
    CHECK_THROWS_AS(parse_value(rate, bad, "--lr"), Error);
  for (const char* bad : {"1", "-0.1"}) CHECK_THROWS_AS(parse_value(share, bad, "--dropout"), Error);
}

TEST_CASE("an error names the option, the value, what is allowed and the nearest choice", "[base]") {
  const auto message = [](const ValueType& type, const char* text) -> std::string {
    try {
      parse_value(type, text, "--x");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(ValueType::integer(2), "1") == "--x is out of range (given '1', allowed: integer 2..2147483647)");
  CHECK(message(ValueType::real("[0, 1)"), "a") == "--x is not a number (given 'a', allowed: number in [0, 1))");
  CHECK(message(ValueType::choice({"adam", "sgd"}), "adan") ==
        "--x is unknown (given 'adan', allowed: adam, sgd, nearest: adam)");
}

TEST_CASE("a range is written in full in an error and briefly in the help", "[base]") {
  CHECK(ValueType::integer(2).describe() == "integer 2..2147483647");
  CHECK(ValueType::integer(2).describe_briefly() == "integer >= 2");
  CHECK(ValueType::integer(0, 9).describe_briefly() == "integer 0..9");
}

TEST_CASE("a number is written in the shortest text that reads back", "[base]") {
  for (const double number : {0.1, 1e-3, 1.0 / 3, 1e300, 5e-324, 2.0})
    CHECK(std::strtod(to_text(number).c_str(), nullptr) == number);
  CHECK(to_text(0.1) == "0.1");
  CHECK(to_text(Value(true)) == "true");
  CHECK(to_text(Value(std::int64_t{42})) == "42");
  CHECK(to_text(Value()) == "");
}
