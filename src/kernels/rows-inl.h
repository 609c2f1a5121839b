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
HWY_INLINE void AddNormBackward(std::size_t columns, const float* d_out, const float* normed, float inverse,
                                const float* weight, const std::uint32_t* kept, FloatVector factor,
                                hn::Vec<IntTag> lane_bits, float* d_residual, float* d_added) {
  const FloatTag d;
  auto sum = hn::Zero(d), dot = hn::Zero(d);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto gw = hn::Mul(LoadFirst(d, d_out + c, n), LoadFirst(d, weight + c, n));
    sum = hn::Add(sum, gw);
    dot = hn::MulAdd(gw, LoadFirst(d, normed + c, n), dot);
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

// sums += the rows of `matrix`, and products += those of matrix times other, unless null. Down the columns, so that
// sums stay in registers.
HWY_INLINE void AddColumns(std::size_t rows, std::size_t columns, const float* matrix, const float* other, float* sums,
                           float* products) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto sum0 = LoadFirst(d, sums + c, n), sum1 = hn::Zero(d);
    auto product0 = other == nullptr ? hn::Zero(d) : LoadFirst(d, products + c, n), product1 = hn::Zero(d);
    const auto add = [&](std::size_t r, auto& sum, auto& product) {
      const auto x = LoadFirst(d, matrix + r * columns + c, n);
      sum = hn::Add(sum, x);
      if (other != nullptr) product = hn::MulAdd(x, LoadFirst(d, other + r * columns + c, n), product);
    };
    std::size_t r = 0;
    for (; r + 2 <= rows; r += 2) {
      add(r, sum0, product0);
      add(r + 1, sum1, product1);
    }
    if (r < rows) add(r, sum0, product0);
    StoreFirst(hn::Add(sum0, sum1), d, sums + c, n);
    if (other != nullptr) StoreFirst(hn::Add(product0, product1), d, products + c, n);
  });
}

// In place: relu, then dropout. A NaN stays one, which it would not in a maximum.
HWY_INLINE void ReluDrop(std::size_t columns, float* row, const std::uint32_t* kept, FloatVector factor,
                         hn::Vec<IntTag> lane_bits) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto x = LoadFirst(d, row + c, n);
    x = hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
    if (kept != nullptr) x = hn::Mul(x, KeepRow(kept, c, lane_bits, factor));
    StoreFirst(x, d, row + c, n);
  });
}

// Its gradient, in place: what is positive was kept.
HWY_INLINE void ReluDropBackward(std::size_t columns, float* d_row, const float* row, FloatVector factor) {
  const FloatTag d;
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    const auto passed = hn::Gt(LoadFirst(d, row + c, n), hn::Zero(d));
    StoreFirst(hn::IfThenElseZero(passed, hn::Mul(LoadFirst(d, d_row + c, n), factor)), d, d_row + c, n);
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
