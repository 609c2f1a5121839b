// The functions of vectors that the kernels are made of, over the whole range of floats, against the C++ library in
// double precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_functions_test.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/exp-inl.h"
#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

template <typename Function>
HWY_INLINE void Map(const float* x, std::size_t count, float* out, const Function& function) {
  const FloatTag d;
  ForEachVector(count,
                [&](std::size_t i, std::size_t n) { StoreFirst(function(LoadFirst(d, x + i, n)), d, out + i, n); });
}

void ExpOfNegatives(const float* x, std::size_t count, float* out) {
  Map(x, count, out, [](FloatVector v) { return ExpOfNegative(v); });
}

void Sigmoids(const float* x, std::size_t count, float* out) {
  Map(x, count, out, [](FloatVector v) { return Sigmoid(v); });
}

void LogsOfSums(const float* x, std::size_t count, float* out) {
  Map(x, count, out, [](FloatVector v) { return LogOfSum(v); });
}

void Relus(const float* x, std::size_t count, float* out) {
  std::copy_n(x, count, out);
  ReluDrop(count, out, nullptr, hn::Zero(FloatTag()), LaneBits());
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/instruction_sets.h"

namespace posenc::kernels {
namespace {

HWY_EXPORT(ExpOfNegatives);
HWY_EXPORT(Sigmoids);
HWY_EXPORT(LogsOfSums);
HWY_EXPORT(Relus);

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float from_bits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// About 500,000 floats of every sign and exponent, denormals, infinities and NaNs among them, as far as `wanted` takes
// them, and what lies closely about the numbers where results leave the range of floats.
template <typename Wanted>
std::vector<float> floats(const Wanted& wanted) {
  std::vector<float> all;
  const auto add = [&](float x) {
    if (wanted(x)) all.push_back(x);
  };
  constexpr std::uint64_t kStep = 8191;  // a prime, so that all mantissas are met
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += kStep) add(from_bits(static_cast<std::uint32_t>(bits)));
  for (const float x : {0.0f, -0.0f, kInfinity, -kInfinity, 1e30f, -1e30f, 1e-45f, -1e-45f, from_bits(0x7fc00000u),
                        from_bits(0xffc00000u), from_bits(0x7f800001u)})
    add(x);
  for (float x = -400; x <= 400; x += 0.03125f) add(x);
  return all;
}

// Each result is `exact` of its argument to `ulps` units in the last place, or to `smallest`; NaN for NaN.
template <typename Exact>
void check(const std::vector<float>& x, const std::vector<float>& results, double ulps, double smallest,
           const Exact& exact) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = exact(double(x[i])), allowed = std::max(smallest, std::abs(expected) * ulps * 0x1p-23);
    const bool right = std::isnan(expected) ? std::isnan(results[i])
                                            : double(results[i]) == expected ||  // an infinity too
                                                  std::abs(double(results[i]) - expected) <= allowed;
    if (right) continue;
    INFO("of " << x[i] << ": " << results[i] << ", expected " << expected);
    if (++wrong <= 5) CHECK(right);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("the exponential of what is not positive is right from 0 to minus infinity", "[kernels]") {
  const auto x = floats([](float f) { return !(f > 0); });
  std::vector<float> results(x.size());
  for_each_instruction_set([&] {
    HWY_DYNAMIC_DISPATCH(ExpOfNegatives)(x.data(), x.size(), results.data());
    check(x, results, 2, 1.7e-38, [](double v) { return std::exp(v); });  // e^-87, below which it is 0
  });
}

TEST_CASE("the sigmoid is right for every float", "[kernels]") {
  const auto x = floats([](float) { return true; });
  std::vector<float> results(x.size());
  for_each_instruction_set([&] {
    HWY_DYNAMIC_DISPATCH(Sigmoids)(x.data(), x.size(), results.data());
    check(x, results, 3, 1.2e-38, [](double v) { return 1 / (1 + std::exp(-v)); });  // the smallest normal float
  });
}

TEST_CASE("the logarithm of a sum of exponentials is right from 1 on", "[kernels]") {
  const auto x = floats([](float f) { return !(f < 1) && f != kInfinity; });
  std::vector<float> results(x.size());
  for_each_instruction_set([&] {
    HWY_DYNAMIC_DISPATCH(LogsOfSums)(x.data(), x.size(), results.data());
    check(x, results, 3, 1e-7, [](double v) { return std::log(v); });
  });
}

TEST_CASE("relu is right for every float, and NaN for NaN", "[kernels]") {
  const auto x = floats([](float) { return true; });
  std::vector<float> results(x.size());
  for_each_instruction_set([&] {
    HWY_DYNAMIC_DISPATCH(Relus)(x.data(), x.size(), results.data());
    check(x, results, 0, 0, [](double v) { return v < 0 ? 0 : v; });
  });
}

}  // namespace posenc::kernels
#endif
