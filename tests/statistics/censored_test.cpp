#include "statistics/censored.h"

#include <algorithm>

#include "statistics/golden.h"

using namespace posenc;

namespace {

std::vector<std::optional<double>> epochs(const nlohmann::json& known) {
  std::vector<std::optional<double>> all;
  for (const double value : numbers(known))
    all.push_back(std::isinf(value) ? std::nullopt : std::optional<double>(value));
  return all;
}

}  // namespace

TEST_CASE("runs that never got there count in the median", "[statistics]") {
  int censored = 0;
  for (const auto& known : golden()["samples"]) {
    if (known["n"] == 0 || known["failed"] != 0) continue;
    INFO(known["name"]);
    const auto given = epochs(known["values"]);
    const CensoredMedian found = censored_median(given);
    CHECK(found.n == known["n"]);
    CHECK(found.never == std::count(given.begin(), given.end(), std::nullopt));
    CHECK(close(found.median.value, number(known["median"])));
    CHECK(found.median.interval.has_value() == !known["order_interval"].is_null());
    censored += found.never > 0;
  }
  CHECK(censored >= 4);
}

TEST_CASE("the interval of a censored median may end in never", "[statistics]") {
  const CensoredMedian some = censored_median(std::vector<std::optional<double>>{4, 5, 6, 7, 8, 9, 10, std::nullopt});
  CHECK(some.never == 1);
  CHECK(some.median.value == 7.5);
  CHECK(some.median.interval->lower == 4);
  CHECK(std::isinf(some.median.interval->upper));
}

TEST_CASE("where all runs never got there, the median and both ends are never", "[statistics]") {
  const CensoredMedian all = censored_median(std::vector<std::optional<double>>(8));
  CHECK(all.never == 8);
  CHECK(std::isinf(all.median.value));
  CHECK(std::isinf(all.median.interval->lower));
}

TEST_CASE("half of the runs getting there is not enough for a median", "[statistics]") {
  CHECK(std::isinf(censored_median(std::vector<std::optional<double>>{4, std::nullopt}).median.value));
  CHECK(censored_median(std::vector<std::optional<double>>{4, std::nullopt, 5}).median.value == 5);
  CHECK(censored_median({}).median.why == Why::no_values);
}
