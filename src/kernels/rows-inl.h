// What is done to a row at a time: layer normalisation with the sum before it, relu, dropout, rotation. Included once
// for each instruction set.
#if defined(POSENC_KERNELS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_ROWS_INL_H_
#undef POSENC_KERNELS_ROWS_INL_H_
#else
#define POSENC_KERNELS_ROWS_INL_H_
#endif

#include <cmath>

#include "kernels/bits-inl.h"
#include "kernels/layer.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

// work(column, lanes) for a row's vectors, the last of which may be partial.
template <typename Work>
HWY_INLINE void ForEachVector(std::size_t columns, const Work& work) {
  const std::size_t n = hn::Lanes(FloatTag());
  std::size_t c = 0;
  for (; c + n <= columns; c += n) work(c, n);
  if (c < columns) work(c, columns - c);
}

HWY_INLINE float Sum(FloatVector v) {
  const FloatTag d;
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// sum = residual + kept part of `added`; normed = (sum - mean) / deviation; out = normed * weight + bias.
// Returns 1 / deviation. kept: a row of bits, or null.
HWY_INLINE float AddNorm(std::size_t columns, const float* residual, const float* added, const std::uint32_t* kept,
                         FloatVector factor, hn::Vec<IntTag> lane_bits, const float* weight, const float* bias,
                         float eps, float* normed, float* out) {
  const FloatTag d;
  auto total = hn::Zero(d);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto a = LoadFirst(d, added + c, n);
    if (kept != nullptr) a = hn::Mul(a, KeepRow(kept, c, lane_bits, factor));
    const auto s = hn::Add(LoadFirst(d, residual + c, n), a);
    StoreFirst(s, d, normed + c, n);
    total = hn::Add(total, s);
  });
  const float scale = 1.0f / static_cast<float>(columns);
  const auto mean = hn::Set(d, Sum(total) * scale);
  auto squares = hn::Zero(d);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto centred = hn::Sub(LoadFirst(d, normed + c, n), mean);
    if (n < hn::Lanes(d)) centred = hn::IfThenElseZero(hn::FirstN(d, n), centred);
    squares = hn::MulAdd(centred, centred, squares);
  });
  const float inverse = 1.0f / std::sqrt(Sum(squares) * scale + eps);
  const auto by = hn::Set(d, inverse);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto x = hn::Mul(hn::Sub(LoadFirst(d, normed + c, n), mean), by);
    StoreFirst(x, d, normed + c, n);
    StoreFirst(hn::MulAdd(x, LoadFirst(d, weight + c, n), LoadFirst(d, bias + c, n)), d, out + c, n);
  });
  return inverse;
}

// Gradient of AddNorm: d_out -> d_residual, and d_added where something may have been dropped (else they are the same).
// Adds to the gradients of weight and bias.
HWY_INLINE void AddNormBackward(std::size_t columns, const float* d_out, const float* normed, float inverse,
                                const float* weight, const std::uint32_t* kept, FloatVector factor,
                                hn::Vec<IntTag> lane_bits, float* d_residual, float* d_added, float* d_weight,
                                float* d_bias) {
  const FloatTag d;
  auto sum = hn::Zero(d), dot = hn::Zero(d);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto g = LoadFirst(d, d_out + c, n), x = LoadFirst(d, normed + c, n);
    StoreFirst(hn::MulAdd(g, x, LoadFirst(d, d_weight + c, n)), d, d_weight + c, n);
    StoreFirst(hn::Add(g, LoadFirst(d, d_bias + c, n)), d, d_bias + c, n);
    const auto gw = hn::Mul(g, LoadFirst(d, weight + c, n));
    sum = hn::Add(sum, gw);
    dot = hn::MulAdd(gw, x, dot);
  });
  const float scale = 1.0f / static_cast<float>(columns);
  const auto mean = hn::Set(d, Sum(sum) * scale), slope = hn::Set(d, Sum(dot) * scale), by = hn::Set(d, inverse);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto gw = hn::Mul(LoadFirst(d, d_out + c, n), LoadFirst(d, weight + c, n));
    const auto dx = hn::Mul(by, hn::NegMulAdd(LoadFirst(d, normed + c, n), slope, hn::Sub(gw, mean)));
    StoreFirst(dx, d, d_residual + c, n);
    if (kept != nullptr) StoreFirst(hn::Mul(dx, KeepRow(kept, c, lane_bits, factor)), d, d_added + c, n);
  });
}

// In place: relu, then dropout.
HWY_INLINE void ReluDrop(std::size_t columns, float* row, const std::uint32_t* kept, FloatVector factor,
                         hn::Vec<IntTag> lane_bits) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto x = hn::Max(LoadFirst(d, row + c, n), hn::Zero(d));
    if (kept != nullptr) x = hn::Mul(x, KeepRow(kept, c, lane_bits, factor));
    StoreFirst(x, d, row + c, n);
  });
}

// Its gradient, in place: what is positive was kept. Adds the row to d_bias.
HWY_INLINE void ReluDropBackward(std::size_t columns, float* d_row, const float* row, FloatVector factor,
                                 float* d_bias) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto passed = hn::Gt(LoadFirst(d, row + c, n), hn::Zero(d));
    const auto g = hn::IfThenElseZero(passed, hn::Mul(LoadFirst(d, d_row + c, n), factor));
    StoreFirst(g, d, d_row + c, n);
    StoreFirst(hn::Add(g, LoadFirst(d, d_bias + c, n)), d, d_bias + c, n);
  });
}

// to += from
HWY_INLINE void AddRow(std::size_t columns, const float* from, float* to) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    StoreFirst(hn::Add(LoadFirst(d, to + c, n), LoadFirst(d, from + c, n)), d, to + c, n);
  });
}

// One head's row turned in place; backwards with direction -1. copy (d) is scratch.
HWY_INLINE void Rotate(std::size_t width, const float* cos, const float* sin, const std::int32_t* partner,
                       float direction, float* row, float* copy) {
  std::copy_n(row, width, copy);
  for (std::size_t c = 0; c < width; ++c) row[c] = copy[c] * cos[c] + direction * copy[partner[c]] * sin[c];
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
