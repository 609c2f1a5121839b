#include "statistics/holm.h"

#include "posenc/error.h"
#include "statistics/golden.h"

using namespace posenc;

TEST_CASE("adjusted p values are those of statsmodels", "[statistics]") {
  REQUIRE(golden()["holm"].size() >= 6);
  for (const auto& known : golden()["holm"]) {
    INFO(known);
    const auto expected = numbers(known["adjusted"]), found = holm_adjusted(numbers(known["given"]));
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(close(found[i], expected[i]));
  }
}

TEST_CASE("a test that was not done does not count", "[statistics]") {
  const auto found = holm_adjusted(std::vector<double>{std::nan(""), 0.02});
  CHECK(std::isnan(found[0]));
  CHECK(found[1] == 0.02);
  CHECK(holm_adjusted({}).empty());
}

TEST_CASE("what is no p value is refused", "[statistics]") {
  CHECK_THROWS_AS(holm_adjusted(std::vector<double>{1.01}), Error);
  CHECK_THROWS_AS(holm_adjusted(std::vector<double>{-0.01}), Error);
}
