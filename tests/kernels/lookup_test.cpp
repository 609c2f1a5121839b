// Lookups and counted gates, which both engines compute with the same kernels: values and gradients against their
// formulas in double precision, for numbers of any size.
#include "kernels/lookup.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/gates.h"
#include "support/instruction_sets.h"

using namespace posenc::kernels;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> normal(std::size_t count, unsigned seed, float scale = 1) {
  std::mt19937 source(seed);
  std::normal_distribution<float> distribution(0, scale);
  std::vector<float> all(count);
  for (float& x : all) x = distribution(source);
  return all;
}

// Whether `value` is `expected` but for float's rounding of numbers of the size `size`.
void check(float value, double expected, double size) {
  if (!(std::abs(double(value) - expected) <= 1e-6 * size)) CHECK(double(value) == expected);
}

}  // namespace

TEST_CASE("pick takes each row's score at its index", "[kernels]") {
  constexpr std::size_t kCount = 2, kRows = 3, kEntries = 5, kColumns = 4;
  const std::vector<std::int64_t> index = {0, 4, 4, 1, 2, 2, 2, 2, 3, 0, 1, 4};
  for (const float scale : {1e-30f, 1.0f, 1e30f}) {
    const std::vector<float> scores = normal(kCount * kRows * kEntries, 1, scale);
    const std::vector<float> d_out = normal(kCount * kRows * kColumns, 2, scale);
    std::vector<float> out(d_out.size()), d_scores(scores.size(), 7);
    pick_forward(kCount, kRows, kEntries, kColumns, scores.data(), index.data(), out.data());
    pick_backward(kCount, kRows, kEntries, kColumns, index.data(), d_out.data(), d_scores.data());
    for (std::size_t row = 0; row < kCount * kRows; ++row) {
      std::vector<double> gradient(kEntries);
      for (std::size_t j = 0; j < kColumns; ++j) {
        const auto at = static_cast<std::size_t>(index[row % kRows * kColumns + j]);
        CHECK(out[row * kColumns + j] == scores[row * kEntries + at]);
        gradient[at] += d_out[row * kColumns + j];
      }
      for (std::size_t e = 0; e < kEntries; ++e) check(d_scores[row * kEntries + e], gradient[e], scale);
    }
  }
}

TEST_CASE("interpolate lies between the scores at the whole places beside a place", "[kernels]") {
  constexpr std::size_t kRows = 7, kEntries = 40, kColumns = 64;
  std::mt19937 source(6);
  std::vector<float> places(kRows * kColumns);
  for (float& place : places) {
    const auto whole = static_cast<float>(source() % kEntries);
    switch (source() % 4) {
      case 0:
        place = whole;
        break;
      case 1:
        place = std::nextafter(whole, 20.0f);
        break;  // just above or below
      default:
        place = std::uniform_real_distribution<float>(0, kEntries - 1)(source);
    }
  }
  places[0] = 0;
  places[kColumns - 1] = kEntries - 1;  // nothing beyond the last entry is read
  places[1] = 1e-45f;                   // the smallest float
  for (const float scale : {1e-30f, 1.0f, 1e15f}) {
    const std::vector<float> scores = normal(kRows * kEntries, 1, scale), d_out = normal(places.size(), 3);
    std::vector<float> out(places.size()), d_scores(scores.size(), 7), d_places(places.size(), 7);
    interpolate_forward(kRows, kEntries, kColumns, scores.data(), places.data(), out.data());
    interpolate_backward(kRows, kEntries, kColumns, scores.data(), places.data(), d_out.data(), d_scores.data(),
                         d_places.data());
    for (std::size_t i = 0; i < kRows; ++i) {
      std::vector<double> gradient(kEntries), size(kEntries);
      for (std::size_t j = 0; j < kColumns; ++j) {
        const std::size_t pair = i * kColumns + j;
        const double place = places[pair], below = std::floor(place), above = std::ceil(place), share = place - below;
        const double low = scores[i * kEntries + static_cast<std::size_t>(below)];
        const double high = scores[i * kEntries + static_cast<std::size_t>(above)];
        check(out[pair], high * share + low * (1 - share), std::abs(low) + std::abs(high));
        check(d_places[pair], d_out[pair] * (high - low), std::abs(d_out[pair]) * (std::abs(low) + std::abs(high)));
        gradient[static_cast<std::size_t>(above)] += d_out[pair] * share;
        gradient[static_cast<std::size_t>(below)] += d_out[pair] * (1 - share);
        size[static_cast<std::size_t>(above)] += std::abs(d_out[pair]);
        size[static_cast<std::size_t>(below)] += std::abs(d_out[pair]);
      }
      for (std::size_t e = 0; e < kEntries; ++e) check(d_scores[i * kEntries + e], gradient[e], size[e]);
    }
  }
}

TEST_CASE("interpolate at a place that does not exist is NaN, and reads nothing elsewhere", "[kernels]") {
  const std::vector<float> scores = {1, 2, 3};
  for (const float place : {kNaN, -kNaN, kInfinity, -kInfinity, -1.0f, -1e-30f, 2.0001f, 3.0f, 1e30f, -1e30f}) {
    INFO(place);
    const std::vector<float> places = {place, 1.5f}, d_out = {1, 1};
    std::vector<float> out(2), d_scores(3), d_places(2);
    interpolate_forward(1, 3, 2, scores.data(), places.data(), out.data());
    CHECK(std::isnan(out[0]));
    CHECK(out[1] == 2.5f);
    interpolate_backward(1, 3, 2, scores.data(), places.data(), d_out.data(), d_scores.data(), d_places.data());
    CHECK(std::isnan(d_places[0]));
    CHECK(d_places[1] == 1.0f);
    CHECK(std::isnan(d_scores[0]));
    CHECK(d_scores[1] == 0.5f);
    CHECK(d_scores[2] == 0.5f);
  }
}

TEST_CASE("gates are counted from each key up to the query, up to a most, whatever the scores", "[kernels]") {
  for_each_instruction_set([] {
    for (const std::size_t length : {1, 5, 16, 33})
      for (const float most : {2.6f, 1e6f})
        for (const float scale : {1e-30f, 1e-3f, 1.0f, 30.0f, 200.0f, 1e4f, 1e10f, 1e30f, kInfinity}) {
          INFO("length " << length << ", most " << most << ", scores of the size " << scale);
          std::vector<float> scores = normal(2 * length * length, 4, scale == kInfinity ? 1 : scale);
          if (scale == kInfinity)
            for (float& x : scores) x *= kInfinity;
          const std::vector<float> d_places = normal(scores.size(), 5);
          std::vector<float> gates(scores.size()), places(scores.size()), d_scores(scores.size(), 7);
          count_gates_forward(2, length, most, scores.data(), gates.data(), places.data());
          count_gates_backward(2, length, most, gates.data(), places.data(), d_places.data(), d_scores.data());
          const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
          for (std::size_t row = 0; row < 2 * length; ++row) {
            const std::size_t query = row % length, at = row * length;
            std::vector<double> sums(length + 1);
            for (std::size_t j = query + 1; j-- > 0;) sums[j] = sums[j + 1] + sigmoid(scores[at + j]);
            double gradient = 0, size = 0;  // of sums, which a gate has a part in up to its own key
            for (std::size_t j = 0; j <= query; ++j) {
              const double gate = sigmoid(scores[at + j]);
              check(places[at + j], std::min(sums[j], double(most)), 1 + sums[j]);
              if (sums[j] < double(most)) gradient += d_places[at + j];
              size += std::abs(d_places[at + j]);
              check(d_scores[at + j], gradient * gate * (1 - gate), size);
            }
            for (std::size_t j = query + 1; j < length; ++j) {
              CHECK(places[at + j] == 0);
              CHECK(d_scores[at + j] == 0);
            }
          }
        }
  });
}

TEST_CASE("a score that is NaN makes the counts that have a part in it NaN", "[kernels]") {
  for_each_instruction_set([] {
    constexpr std::size_t kLength = 4;
    for (const float nan : {kNaN, -kNaN}) {
      std::vector<float> scores(kLength * kLength, 0.0f), gates(scores.size()), places(scores.size());
      scores[2 * kLength + 1] = nan;
      count_gates_forward(1, kLength, 9, scores.data(), gates.data(), places.data());
      for (std::size_t i = 0; i < kLength; ++i)
        for (std::size_t j = 0; j < kLength; ++j) CHECK(std::isnan(places[i * kLength + j]) == (i == 2 && j <= 1));
    }
  });
}
