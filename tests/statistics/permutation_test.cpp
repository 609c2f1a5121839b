#include "statistics/permutation.h"

#include "posenc/error.h"
#include "statistics/golden.h"
#include "statistics/random_draws.h"
#include "statistics/values.h"

using namespace posenc;

TEST_CASE("exact sign-flip tests are scipy's", "[statistics]") {
  int compared = 0;
  for (const auto& known : golden()["pairs"]) {
    if (known["p"].is_null()) continue;
    INFO(known["name"]);
    const auto differences = paired_differences(numbers(known["first"]), numbers(known["second"]));
    const PermutationTest found = sign_flip_test(differences);
    CHECK(found.exact);
    CHECK(found.arrangements == 1ll << differences.size());
    CHECK(close(found.p, known["p"]));
    ++compared;
  }
  CHECK(compared >= 10);
}

TEST_CASE("exact tests of two groups are scipy's", "[statistics]") {
  int compared = 0;
  for (const auto& known : golden()["groups"]) {
    if (known["p"].is_null()) continue;
    INFO(known["name"]);
    const auto first = numbers(known["first"]), second = numbers(known["second"]);
    const PermutationTest found = two_group_test(first, second);
    CHECK(found.exact);
    CHECK(close(found.p, known["p"]));
    CHECK(two_group_test(second, first).p == found.p);
    if (first.size() == second.size()) CHECK(close(found.p, known["p_two_sided"]));
    ++compared;
  }
  CHECK(compared >= 8);
}

TEST_CASE("drawn tests agree with exact ones and never say 0", "[statistics]") {
  RandomDraws draws(6);
  const auto some = [&](std::size_t n, double shift) {
    std::vector<double> values(n);
    for (double& value : values) value = shift + static_cast<double>(draws.index(2001)) / 1000 - 1;
    return values;
  };
  // 21 pairs of which one is 0: the exact test of the other 20 has the same p.
  auto differences = some(20, 0.25);
  const PermutationTest exact = sign_flip_test(differences);
  differences.push_back(0);
  const PermutationTest drawn = sign_flip_test(differences);
  CHECK(exact.exact);
  CHECK(exact.arrangements == 1 << 20);
  CHECK_FALSE(drawn.exact);
  CHECK(drawn.arrangements == 99'999);
  CHECK(drawn.p == Approx(exact.p).margin(5 * std::sqrt(exact.p * (1 - exact.p) / 99'999)));

  const PermutationTest far = two_group_test(some(60, 5), some(70, 0), {.resamples = 999});
  CHECK_FALSE(far.exact);
  CHECK(far.p == 0.001);
  CHECK(two_group_test(some(40, 0), some(40, 0)).p > 1e-4);
}

TEST_CASE("more than 64 pairs each have a sign of their own", "[statistics]") {
  // The sum of 100 fair signs is at least 20 in magnitude with probability 0.0569.
  std::vector<double> differences(100, 1.0);
  std::fill(differences.begin(), differences.begin() + 40, -1.0);
  CHECK(sign_flip_test(differences).p == Approx(0.0569).margin(5 * 0.00073));
}

TEST_CASE("drawn p values of equal groups are uniform", "[statistics]") {
  RandomDraws draws(7);
  int below = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    std::vector<double> a(12), b(14);
    for (auto* group : {&a, &b})
      for (double& value : *group) value = static_cast<double>(draws.index(1'000'000));
    below += two_group_test(a, b, {.resamples = 499, .seed = round}).p <= 0.1;
  }
  CHECK(below == Approx(40).margin(5 * 6));
}

TEST_CASE("the smallest p of n pairs is 2 / 2^n", "[statistics]") {
  for (std::size_t n = 1; n <= 20; ++n) {
    const std::vector<double> differences(n, 0.1);  // sums that rounding would part
    CHECK(sign_flip_test(differences).p == 2 / std::exp2(n));
  }
}

TEST_CASE("no difference at all has p = 1", "[statistics]") {
  CHECK(sign_flip_test({}).p == 1);
  CHECK(sign_flip_test(std::vector<double>{0.5}).p == 1);
  CHECK(sign_flip_test(std::vector<double>(8)).p == 1);
  CHECK(sign_flip_test(std::vector<double>(50)).p == 1);
  CHECK(two_group_test(std::vector<double>(4, 0.1), std::vector<double>(5, 0.1)).p == 1);
  CHECK(two_group_test(std::vector<double>(40, 0.1), std::vector<double>(50, 0.1)).p == 1);
  CHECK(two_group_test({}, std::vector<double>(3)).p == 1);
}

TEST_CASE("a group of one is tested against all others", "[statistics]") {
  const PermutationTest found = two_group_test(std::vector<double>{9}, std::vector<double>{1, 2, 3, 4, 5, 6, 7});
  CHECK(found.exact);
  CHECK(found.arrangements == 8);
  CHECK(found.p == 0.125);
}

TEST_CASE("the exact test of two groups ends at 200,000 splits", "[statistics]") {
  const std::vector<double> values = {1, 5, 2, 8, 3, 9, 4, 7, 6, 0, 2.5};
  CHECK(two_group_test(std::span(values).first(10), std::span(values).first(10)).arrangements == 184'756);
  CHECK_FALSE(two_group_test(std::span(values).first(10), values).exact);
}

TEST_CASE("tests refuse what is not finite", "[statistics]") {
  CHECK_THROWS_AS(sign_flip_test(std::vector<double>{1, std::nan("")}), Error);
  CHECK_THROWS_AS(two_group_test(std::vector<double>{1}, std::vector<double>{INFINITY}), Error);
  CHECK_THROWS_AS(sign_flip_test(std::vector<double>(30, 1.0), {.resamples = 0}), Error);
}
