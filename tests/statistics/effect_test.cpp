#include "statistics/effect.h"

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/values.h"

using namespace posenc;

namespace {

constexpr Resampling kMany{.resamples = 99'999, .seed = 1};

// Of either kind of golden case; `key` names its standardized effect.
void check_effect(const Effect& found, const nlohmann::json& known, const char* key) {
  CHECK(close(found.difference.value, known["difference"]));
  CHECK(close(found.standardized.value, known[key].is_null() ? std::nan("") : number(known[key])));
  check_bca(found.difference, known["bca_difference"]);
  if (!known["bca_standardized"].is_null()) check_bca(found.standardized, known["bca_standardized"]);
}

}  // namespace

TEST_CASE("paired effects and their intervals are scipy's", "[statistics]") {
  REQUIRE(golden()["pairs"].size() >= 10);
  for (const auto& known : golden()["pairs"]) {
    INFO(known["name"]);
    const auto differences = paired_differences(numbers(known["first"]), numbers(known["second"]));
    check_effect(paired_effect(differences, kMany), known, "cohen_dz");
  }
}

TEST_CASE("effects of groups and their intervals are scipy's", "[statistics]") {
  REQUIRE(golden()["groups"].size() >= 10);
  for (const auto& known : golden()["groups"]) {
    INFO(known["name"]);
    check_effect(unpaired_effect(numbers(known["first"]), numbers(known["second"]), kMany), known, "hedges_g");
  }
}

TEST_CASE("without spread a standardized effect is undefined, and the difference stays", "[statistics]") {
  const Effect pairs = paired_effect(std::vector<double>{0.9 - 0.8, 0.4 - 0.3, 0.1});
  CHECK(pairs.difference.value == Approx(0.1));
  CHECK(std::isnan(pairs.standardized.value));
  CHECK(pairs.standardized.why == Why::all_equal);
  const std::vector<double> ones = {1, 1, 1}, halves = {0.5, 0.5};
  const Effect groups = unpaired_effect(ones, halves);
  CHECK(groups.difference.value == 0.5);
  CHECK(groups.difference.why == Why::all_equal);
  CHECK(std::isnan(groups.standardized.value));
  CHECK(groups.standardized.why == Why::all_equal);
  CHECK(std::isnan(paired_effect(std::vector<double>{0, 0, 0}).standardized.value));
}

TEST_CASE("one pair, or a group of one, has an effect of no known spread", "[statistics]") {
  CHECK(paired_effect(std::vector<double>{0.1}).difference.value == 0.1);
  CHECK(paired_effect(std::vector<double>{0.1}).standardized.why == Why::one_value);
  CHECK(std::isnan(paired_effect(std::vector<double>{0.1}).standardized.value));
  CHECK(paired_effect({}).difference.why == Why::no_values);
  const std::vector<double> one = {0.5}, three = {0.7, 0.9, 0.8};
  CHECK(unpaired_effect(one, three).standardized.why == Why::one_value);
  // J(2) = Gamma(1) / Gamma(1/2) = 1 / sqrt(pi), and the standard deviation of the three is 0.1
  CHECK(hedges_g(one, three) == Approx(-3 * std::sqrt(2.0 / 3) / std::sqrt(3.14159265358979) * std::sqrt(1.5)));
  CHECK(std::isnan(hedges_g(one, std::span(three).first(2))));
}

TEST_CASE("pairs that agree in some resamples do not make an effect undefined", "[statistics]") {
  // Five of eight differences are 0, so 2 % of the resamples hold nothing else.
  const Effect found = paired_effect(std::vector<double>{0, 0, 0, 0, 0, 0.1, 0.2, 0.15}, kMany);
  CHECK(found.standardized.why == Why::ok);
}

TEST_CASE("effects change their sign with the order of the groups", "[statistics]") {
  const std::vector<double> a = {1, 2, 4, 8}, b = {3, 5, 9};
  CHECK(hedges_g(a, b) == -hedges_g(b, a));
  CHECK_THROWS_AS(unpaired_effect(a, std::vector<double>{1, INFINITY}), Error);
}
