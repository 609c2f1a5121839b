// What scipy and statsmodels say (scripts/golden/statistics.py, tests/golden/statistics.json).
#pragma once

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "statistics/interval.h"
#include "support/catch.h"

namespace posenc {

inline const nlohmann::json& golden() {
  static const auto all =
      nlohmann::json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/statistics.json"));
  return all;
}

// "inf" and "nan" are strings there.
inline double number(const nlohmann::json& known) {
  if (known.is_number()) return known.get<double>();
  return known == "inf" ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

inline std::vector<double> numbers(const nlohmann::json& known) {
  std::vector<double> all;
  for (const auto& one : known) all.push_back(number(one));
  return all;
}

// Within 1e-9 of the magnitude, or both nan, or both the same infinity.
inline bool close(double found, double expected) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= 1e-9 * std::abs(expected) + 1e-14;
}

// Compares a BCa interval of 99,999 resamples with scipy's of 999,999, or null. How far an end may be from scipy's for
// the Monte-Carlo error of both is said, with its reason, where the golden values are made.
inline void check_bca(const Estimate& found, const nlohmann::json& expected) {
  if (expected.is_null()) {
    CHECK_FALSE(found.interval);
    CHECK(found.why != Why::ok);
    return;
  }
  REQUIRE(found.interval);
  CHECK(found.why == Why::ok);
  const auto within = [](double end, const nlohmann::json& range) {
    INFO(end << " within " << range);
    const double rounding = 1e-9 * std::abs(end);
    CHECK(number(range[0]) - rounding <= end);
    CHECK(end <= number(range[1]) + rounding);
  };
  within(found.interval->lower, expected["lower_within"]);
  within(found.interval->upper, expected["upper_within"]);
}

}  // namespace posenc
