#include "statistics/order_interval.h"

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/random_draws.h"
#include "statistics/values.h"

using namespace posenc;

TEST_CASE("the order interval has the ranks of scipy's binomial distribution", "[statistics]") {
  for (const auto& known : golden()["samples"]) {
    if (known["n"] == 0) continue;
    INFO(known["name"]);
    std::vector<double> values;
    for (const double value : numbers(known["values"]))
      if (!std::isnan(value)) values.push_back(value);
    const Estimate found = median_order_interval(values);
    CHECK(close(found.value, number(known["median"])));
    REQUIRE(found.interval.has_value() == !known["order_interval"].is_null());
    if (!found.interval) continue;
    CHECK(found.why == Why::ok);
    CHECK(found.interval->lower == number(known["order_interval"][0]));
    CHECK(found.interval->upper == number(known["order_interval"][1]));
  }
}

TEST_CASE("the ranks of a median are those of the tables", "[statistics]") {
  CHECK_FALSE(order_interval_rank(0));
  CHECK_FALSE(order_interval_rank(5));
  CHECK(order_interval_rank(6) == 0);
  CHECK(order_interval_rank(8) == 0);
  CHECK(order_interval_rank(9) == 1);
  CHECK(order_interval_rank(100) == 39);     // the 40th and the 61st
  CHECK(order_interval_rank(5000) == 2430);  // 2^-5000 is no double
}

TEST_CASE("a median of fewer than six runs has no interval, and says why", "[statistics]") {
  CHECK(median_order_interval({}).why == Why::no_values);
  CHECK(median_order_interval(std::vector<double>{1}).why == Why::one_value);
  CHECK(median_order_interval(std::vector<double>{1, 2, 3, 4, 5}).why == Why::too_few);
  CHECK(median_order_interval(std::vector<double>{1, 2, 3, 4, 5}).value == 3);
  CHECK(median_order_interval(std::vector<double>{6, 1, 2, 3, 4, 5}).interval->upper == 6);
}

TEST_CASE("the order interval holds the median at least 95 times in 100, also of a coin", "[statistics]") {
  RandomDraws draws(3);
  for (const std::size_t n : {6, 9, 16, 33}) {
    int held = 0, held_coin = 0;
    for (int round = 0; round < 4000; ++round) {
      std::vector<double> values(n), coins(n);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<double>(draws.index(1'000'001)) - 500'000;
        coins[i] = draws.index(3) == 0;  // the median is 0
      }
      const auto found = median_order_interval(values).interval, coin = median_order_interval(coins).interval;
      held += found->lower <= 0 && 0 <= found->upper;
      held_coin += coin->lower <= 0 && 0 <= coin->upper;
    }
    CHECK(held >= 0.94 * 4000);  // three times the Monte Carlo error below 95 %
    CHECK(held_coin >= 0.94 * 4000);
  }
}

TEST_CASE("the order interval refuses nan", "[statistics]") {
  CHECK_THROWS_AS(median_order_interval(std::vector<double>{1, std::nan("")}), Error);
}
