// Lookups and counted gates against their definitions, and their gradients against finite differences.
#include "kernels/lookup.h"

#include <cmath>
#include <random>
#include <vector>

#include "kernels/gates.h"
#include "support/catch.h"

using namespace posenc::kernels;

namespace {

std::vector<float> some(std::size_t count, unsigned seed, float scale = 1) {
  std::mt19937 source(seed);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> all(count);
  for (float& x : all) x = normal(source);
  return all;
}

// Checks `gradient` of sum(out * weight) to `at`, where `evaluate` computes out from what `at` holds.
template <typename Evaluate>
void check_gradient(std::vector<float>& at, const std::vector<float>& gradient, const std::vector<float>& weight,
                    const Evaluate& evaluate) {
  const auto value = [&] {
    const std::vector<float> out = evaluate();
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) sum += double(out[i]) * double(weight[i]);
    return sum;
  };
  constexpr float kStep = 1e-3f;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const float before = at[i];
    at[i] = before + kStep;
    const double above = value();
    at[i] = before - kStep;
    const double below = value();
    at[i] = before;
    CHECK(double(gradient[i]) == Approx((above - below) / (2 * kStep)).margin(5e-3));
  }
}

}  // namespace

TEST_CASE("pick takes each row's score at its index", "[kernels]") {
  constexpr std::size_t kCount = 2, kRows = 3, kEntries = 5, kColumns = 4;
  std::vector<float> scores = some(kCount * kRows * kEntries, 1);
  const std::vector<std::int64_t> index = {0, 4, 4, 1, 2, 2, 2, 2, 3, 0, 1, 4};
  std::vector<float> out(kCount * kRows * kColumns);
  const auto evaluate = [&] {
    pick_forward(kCount, kRows, kEntries, kColumns, scores.data(), index.data(), out.data());
    return out;
  };
  evaluate();
  CHECK(out[0] == scores[0]);
  CHECK(out[1] == scores[4]);
  CHECK(out[kRows * kColumns + 2 * kColumns + 3] == scores[kRows * kEntries + 2 * kEntries + 4]);
  const std::vector<float> weight = some(out.size(), 2);
  std::vector<float> d_scores(scores.size(), 7);
  pick_backward(kCount, kRows, kEntries, kColumns, index.data(), weight.data(), d_scores.data());
  check_gradient(scores, d_scores, weight, evaluate);
}

TEST_CASE("interpolate lies between the scores at the whole places beside a place", "[kernels]") {
  constexpr std::size_t kRows = 2, kEntries = 4, kColumns = 3;
  std::vector<float> scores = {0, 10, 20, 40, 1, 2, 3, 4}, places = {0.25f, 2.5f, 1.75f, 0.5f, 1.25f, 2.9f};
  std::vector<float> out(kRows * kColumns);
  const auto evaluate = [&] {
    interpolate_forward(kRows, kEntries, kColumns, scores.data(), places.data(), out.data());
    return out;
  };
  evaluate();
  CHECK(out[0] == Approx(2.5));
  CHECK(out[1] == Approx(30));
  CHECK(out[2] == Approx(17.5));
  CHECK(out[5] == Approx(3.9));
  const std::vector<float> weight = some(out.size(), 3);
  std::vector<float> d_scores(scores.size(), 7), d_places(places.size(), 7);
  interpolate_backward(kRows, kEntries, kColumns, scores.data(), places.data(), weight.data(), d_scores.data(),
                       d_places.data());
  check_gradient(scores, d_scores, weight, evaluate);
  check_gradient(places, d_places, weight, evaluate);
  // The last whole place is reached, and nothing beyond it is read.
  places = {3, 0, 1, 3, 3, 2};
  CHECK(evaluate() == std::vector<float>{40, 0, 10, 4, 4, 3});
}

TEST_CASE("gates are counted from each key up to the query, up to a most", "[kernels]") {
  constexpr std::size_t kLength = 5;
  std::vector<float> scores = some(2 * kLength * kLength, 4), gates(scores.size()), places(scores.size());
  const float most = 1.6f;
  const auto evaluate = [&] {
    count_gates_forward(2, kLength, most, scores.data(), gates.data(), places.data());
    return places;
  };
  evaluate();
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < kLength; ++i)
      for (std::size_t j = 0; j < kLength; ++j) {
        double sum = 0;
        for (std::size_t t = j; t <= i; ++t)
          sum += 1 / (1 + std::exp(-double(scores[(s * kLength + i) * kLength + t])));
        CHECK(double(places[(s * kLength + i) * kLength + j]) == Approx(std::min(sum, double(most))).margin(1e-6));
      }
  const std::vector<float> weight = some(places.size(), 5);
  std::vector<float> d_scores(scores.size(), 7);
  count_gates_backward(2, kLength, most, gates.data(), places.data(), weight.data(), d_scores.data());
  check_gradient(scores, d_scores, weight, evaluate);
}
