#include "kernels/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <chrono>

#include "kernels/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

void MatrixProduct(std::size_t rows, std::size_t columns, std::size_t depth, const float* a, bool a_transposed,
                   const float* b, float* c) {
  const auto wide = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count); };
  Gemm(rows, columns, depth, {a, a_transposed ? 1 : wide(depth), a_transposed ? wide(rows) : 1}, b, wide(columns), {},
       c, wide(columns));
}

// Operations done by `rounds` rounds; `sink` keeps them from being left out.
double MultiplyAdd(std::size_t rounds, float* sink) {
  const FloatTag d;
  constexpr std::size_t kChains = 12;  // more than the latency of an addition times the units that do them
  FloatVector sum[kChains];
#pragma GCC unroll 12
  for (std::size_t i = 0; i < kChains; ++i) sum[i] = hn::Set(d, static_cast<float>(i));
  const auto factor = hn::Set(d, 0.999f), term = hn::Set(d, 0.001f);
  for (std::size_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 12
    for (std::size_t i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
  }
  for (std::size_t i = 1; i < kChains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  StoreFirst(sum[0], d, sink, 1);
  return 2.0 * static_cast<double>(rounds * kChains * hn::Lanes(d));
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(MatrixProduct);
HWY_EXPORT(MultiplyAdd);

void matrix_product(std::size_t rows, std::size_t columns, std::size_t depth, const float* a, bool a_transposed,
                    const float* b, float* c) {
  HWY_DYNAMIC_DISPATCH(MatrixProduct)(rows, columns, depth, a, a_transposed, b, c);
}

double peak_gflops() {
  using Clock = std::chrono::steady_clock;
  float sink = 0;
  double best = 0;
  for (int i = 0; i < 10; ++i) {
    const auto begin = Clock::now();
    const double operations = HWY_DYNAMIC_DISPATCH(MultiplyAdd)(200000, &sink);
    best = std::max(best, operations / std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best / 1e9;
}

}  // namespace posenc::kernels
#endif
