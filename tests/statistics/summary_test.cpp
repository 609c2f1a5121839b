#include "statistics/summary.h"

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/values.h"

using namespace posenc;

TEST_CASE("summaries are numpy's", "[statistics]") {
  REQUIRE(golden()["samples"].size() >= 20);
  for (const auto& known : golden()["samples"]) {
    INFO(known["name"]);
    std::vector<double> values;  // without the failed runs, as a caller would
    for (const double value : numbers(known["values"]))
      if (!std::isnan(value)) values.push_back(value);
    CHECK(numbers(known["values"]).size() - values.size() == known["failed"]);
    const Summary found = summarize(values);
    CHECK(found.n == known["n"]);
    if (found.n == 0) continue;
    CHECK(close(found.mean, number(known["mean"])));
    CHECK(close(found.sd, number(known["sd"])));
    CHECK(close(found.median, number(known["median"])));
    CHECK(close(found.lower_quartile, number(known["lower_quartile"])));
    CHECK(close(found.upper_quartile, number(known["upper_quartile"])));
    CHECK(close(found.interquartile_mean, number(known["interquartile_mean"])));
    CHECK(found.min == number(known["min"]));
    CHECK(found.max == number(known["max"]));
  }
}

TEST_CASE("a summary of nothing is all nan", "[statistics]") {
  const Summary none = summarize({});
  CHECK(none.n == 0);
  for (const double number : {none.mean, none.sd, none.median, none.interquartile_mean, none.min, none.max,
                              none.lower_quartile, none.upper_quartile})
    CHECK(std::isnan(number));
}

TEST_CASE("the interquartile mean cuts a quarter of the sample, in fractions of a value", "[statistics]") {
  CHECK(summarize(std::vector<double>{7}).interquartile_mean == 7);
  CHECK(summarize(std::vector<double>{1, 100, 2, 0}).interquartile_mean == Approx(1.5));  // 4: the middle two
  // 5: 1.25 off either end leaves three quarters of 1, all of 2, three quarters of 3
  CHECK(summarize(std::vector<double>{0, 1, 2, 4, 100}).interquartile_mean == Approx((0.75 + 2 + 3) / 2.5));
}

TEST_CASE("a summary refuses nan", "[statistics]") {
  CHECK_THROWS_AS(summarize(std::vector<double>{1, std::nan("")}), Error);
}
