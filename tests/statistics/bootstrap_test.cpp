#include "statistics/bootstrap.h"

#include <numeric>

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/values.h"

using namespace posenc;

namespace {

constexpr Resampling kMany{.resamples = 99'999, .seed = 1};
const std::vector<double> kSome = {0.9, 0.7, 0.95, 0.99, 0.5, 0.85, 0.97, 0.8};

double median(std::span<const double> values) { return quantile(sorted_values(values), 0.5); }

bool same(const Estimate& a, const Estimate& b) {
  return a.interval->lower == b.interval->lower && a.interval->upper == b.interval->upper;
}

}  // namespace

TEST_CASE("the BCa interval of a mean is scipy's within Monte-Carlo error", "[statistics]") {
  int compared = 0;
  for (const auto& known : golden()["samples"]) {
    const auto values = numbers(known["values"]);
    const FiniteValues finite = finite_values(values);
    if (known["n"] == 0 || static_cast<std::size_t>(known["n"]) != finite.values.size()) continue;  // some never
    INFO(known["name"]);
    check_bca(bootstrap_mean_interval(finite.values, kMany), known["bca_mean"]);
    compared += !known["bca_mean"].is_null();
  }
  CHECK(compared >= 12);
}

TEST_CASE("the BCa interval of a standard deviation is scipy's within Monte-Carlo error", "[statistics]") {
  int compared = 0;
  for (const auto& known : golden()["samples"]) {
    if (!known.contains("bca_sd") || known["bca_sd"].is_null()) continue;
    INFO(known["name"]);
    const auto values = finite_values(numbers(known["values"])).values;
    check_bca(bootstrap_interval(values, standard_deviation, kMany), known["bca_sd"]);
    ++compared;
  }
  CHECK(compared >= 5);
}

TEST_CASE("the fast interval of a mean is that of any statistic", "[statistics]") {
  const Estimate fast = bootstrap_mean_interval(kSome, {.seed = 4}), any = bootstrap_interval(kSome, mean, {.seed = 4});
  CHECK(fast.value == any.value);
  CHECK(fast.interval->lower == Approx(any.interval->lower).epsilon(1e-12));
  CHECK(fast.interval->upper == Approx(any.interval->upper).epsilon(1e-12));
}

TEST_CASE("one seed gives one interval and another seed another", "[statistics]") {
  CHECK(same(bootstrap_mean_interval(kSome, {.seed = 4}), bootstrap_mean_interval(kSome, {.seed = 4})));
  CHECK_FALSE(same(bootstrap_mean_interval(kSome, {.seed = 4}), bootstrap_mean_interval(kSome, {.seed = 1ull << 40})));
}

TEST_CASE("the interval follows a change of units", "[statistics]") {
  std::vector<double> percent = kSome, mirrored = kSome;
  for (double& value : percent) value *= 100;
  for (double& value : mirrored) value = 1 - value;
  const Interval plain = *bootstrap_mean_interval(kSome).interval;
  CHECK(bootstrap_mean_interval(percent).interval->lower == Approx(100 * plain.lower));
  CHECK(bootstrap_mean_interval(mirrored).interval->upper == Approx(1 - plain.lower));
}

TEST_CASE("an interval that cannot be is not, and says why", "[statistics]") {
  const auto why = [](const std::vector<double>& values) {
    const Estimate found = bootstrap_mean_interval(values);
    CHECK_FALSE(found.interval);
    CHECK_FALSE(found.too_narrow);
    CHECK(bootstrap_interval(values, mean).why == found.why);
    return found.why;
  };
  CHECK(why({}) == Why::no_values);
  CHECK(why({1}) == Why::one_value);
  CHECK(why({0.3, 0.3, 0.3}) == Why::all_equal);
  CHECK(why({0.9 - 0.8, 0.4 - 0.3}) == Why::all_equal);
  CHECK(bootstrap_mean_interval(std::vector<double>{0.25, 0.25}).value == 0.25);
  CHECK(std::isnan(bootstrap_mean_interval({}).value));
}

TEST_CASE("an interval of no width is none", "[statistics]") {
  const std::vector<double> nearly_equal = {1, 1, 1, 1, 1, 1, 1, 0.5};
  CHECK(bootstrap_interval(nearly_equal, median).why == Why::undefined);
  CHECK_FALSE(bootstrap_interval(nearly_equal, median).interval);
  CHECK(bootstrap_interval(kSome, [](std::span<const double>) { return 1.0; }).why == Why::undefined);
}

TEST_CASE("a statistic that is no number for a resample has no interval", "[statistics]") {
  const auto sometimes = [](std::span<const double> values) { return values[0] == 0.5 ? std::nan("") : values[0]; };
  CHECK(bootstrap_interval(kSome, sometimes).why == Why::undefined);
  const auto never = [](std::span<const double>) { return std::nan(""); };
  CHECK(bootstrap_interval(kSome, never).why == Why::undefined);
}

TEST_CASE("intervals of fewer than ten values are marked as too narrow", "[statistics]") {
  std::vector<double> values(10);
  std::iota(values.begin(), values.end(), 0);
  CHECK_FALSE(bootstrap_mean_interval(values).too_narrow);
  CHECK(bootstrap_mean_interval(std::span(values).first(9)).too_narrow);
  const auto difference = [](std::span<const double> a, std::span<const double> b) { return mean(a) - mean(b); };
  CHECK(bootstrap_interval(values, std::span(values).first(9), difference).too_narrow);
}

TEST_CASE("a bootstrap refuses what is not finite and no resamples", "[statistics]") {
  CHECK_THROWS_AS(bootstrap_mean_interval(std::vector<double>{1, INFINITY}), Error);
  CHECK_THROWS_AS(bootstrap_interval(std::vector<double>{1, std::nan("")}, mean), Error);
  CHECK_THROWS_AS(bootstrap_mean_interval(kSome, {.resamples = 0}), Error);
}

TEST_CASE("of two samples the one without spread still leaves an interval", "[statistics]") {
  const std::vector<double> flat = {1, 1, 1};
  const auto difference = [](std::span<const double> a, std::span<const double> b) { return mean(a) - mean(b); };
  CHECK(bootstrap_interval(kSome, flat, difference).interval);
  CHECK(bootstrap_interval(flat, flat, difference).why == Why::all_equal);
  CHECK(bootstrap_interval(kSome, std::span(flat).first(1), difference).why == Why::one_value);
  CHECK(bootstrap_interval({}, kSome, difference).why == Why::no_values);
}
