// Products of small matrices and a transpose, for kernels that keep their operands in the first caches. Included once
// for each instruction set (Highway's foreach_target).
#if defined(POSENC_KERNELS_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_GEMM_INL_H_
#undef POSENC_KERNELS_GEMM_INL_H_
#else
#define POSENC_KERNELS_GEMM_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

// The first `count` lanes of `p`, the others 0; nothing else is read.
HWY_INLINE FloatVector LoadFirst(FloatTag d, const float* HWY_RESTRICT p, std::size_t count) {
  if (count >= hn::Lanes(d)) return hn::LoadU(d, p);
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float buffer[hn::MaxLanes(d)] = {};
  for (std::size_t i = 0; i < count; ++i) buffer[i] = p[i];
  return hn::Load(d, buffer);
#else
  return hn::MaskedLoad(hn::FirstN(d, count), d, p);
#endif
}

// The first `count` lanes to `p`; nothing else is written.
HWY_INLINE void StoreFirst(FloatVector v, FloatTag d, float* HWY_RESTRICT p, std::size_t count) {
  if (count >= hn::Lanes(d)) {
    hn::StoreU(v, d, p);
    return;
  }
#if HWY_MEM_OPS_MIGHT_FAULT
  HWY_ALIGN float buffer[hn::MaxLanes(d)];
  hn::Store(v, d, buffer);
  for (std::size_t i = 0; i < count; ++i) p[i] = buffer[i];
#else
  hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#endif
}

// A matrix in memory: element (i, j) at data[i * row + j * column].
struct Strided {
  const float* data;
  std::ptrdiff_t row, column;
};

// What a product is added to: nothing, the rows of a matrix (the output itself, to accumulate), or with row 0 one row
// for all, as a bias.
struct Start {
  const float* data = nullptr;
  std::ptrdiff_t row = 0;
};

// A tile of kRows rows and kVectors vectors of the output, all in registers; kPartial: of the first `lanes` lanes of
// one.
template <std::size_t kRows, std::size_t kVectors, bool kPartial>
HWY_INLINE void Tile(std::size_t depth, const Strided& a, const float* HWY_RESTRICT b, std::ptrdiff_t b_row,
                     Start start, float* HWY_RESTRICT c, std::ptrdiff_t c_row, std::size_t lanes) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const auto load = [&](const float* p) { return kPartial ? LoadFirst(d, p, lanes) : hn::LoadU(d, p); };
  FloatVector sum[kRows][kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i)
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
      sum[i][j] =
          start.data == nullptr ? hn::Zero(d) : load(start.data + static_cast<std::ptrdiff_t>(i) * start.row + j * n);
  // A pointer for every third row of a: the two after it are reached with one register, which leaves enough of them.
  constexpr std::size_t kPointers = (kRows + 2) / 3;
  const float* HWY_RESTRICT third[kPointers];
#pragma GCC unroll 6
  for (std::size_t i = 0; i < kPointers; ++i) third[i] = a.data + static_cast<std::ptrdiff_t>(3 * i) * a.row;
  const std::ptrdiff_t a_row = a.row, a_column = a.column;
  for (std::size_t k = 0; k < depth; ++k) {
    FloatVector row[kVectors];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j) row[j] = load(b + j * n);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) {
      const FloatVector factor = hn::Set(d, third[i / 3][static_cast<std::ptrdiff_t>(i % 3) * a_row]);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(factor, row[j], sum[i][j]);
    }
#pragma GCC unroll 6
    for (std::size_t i = 0; i < kPointers; ++i) third[i] += a_column;
    b += b_row;
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i)
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j) {
      float* out = c + static_cast<std::ptrdiff_t>(i) * c_row;
      if (kPartial) {
        StoreFirst(sum[i][j], d, out, lanes);
      } else {
        hn::StoreU(sum[i][j], d, out + j * n);
      }
    }
}

// All rows of a panel of kVectors vectors: tiles of kRows, then what is left in halves of it.
template <std::size_t kRows, std::size_t kVectors, bool kPartial = false>
HWY_INLINE void Panel(std::size_t rows, std::size_t depth, Strided a, const float* b, std::ptrdiff_t b_row, Start start,
                      float* c, std::ptrdiff_t c_row, std::size_t lanes = 0) {
  while (rows >= kRows) {
    Tile<kRows, kVectors, kPartial>(depth, a, b, b_row, start, c, c_row, lanes);
    a.data += static_cast<std::ptrdiff_t>(kRows) * a.row;
    if (start.data != nullptr) start.data += static_cast<std::ptrdiff_t>(kRows) * start.row;
    c += static_cast<std::ptrdiff_t>(kRows) * c_row;
    rows -= kRows;
  }
  if constexpr (kRows > 1) {
    if (rows > 0)
      Panel<(kRows > 8 ? 8 : kRows / 2), kVectors, kPartial>(rows, depth, a, b, b_row, start, c, c_row, lanes);
  }
}

// Accumulators that leave registers for a row of b and a factor: 32 with AVX-512, 16 otherwise.
constexpr std::size_t kAccumulators = HWY_TARGET <= HWY_AVX3 ? 24 : 12;

// c (rows x columns) = start + a (rows x depth) b (depth x columns). b and c have contiguous rows.
inline void Gemm(std::size_t rows, std::size_t columns, std::size_t depth, const Strided& a, const float* b,
                 std::ptrdiff_t b_row, Start start, float* c, std::ptrdiff_t c_row) {
  constexpr std::size_t kMostDepth = 256;  // so that a panel of b stays in the first cache
  const std::size_t n = hn::Lanes(FloatTag());
  for (std::size_t k = 0; k == 0 || k < depth; k += kMostDepth) {
    const std::size_t deep = std::min(kMostDepth, depth - k);
    const Strided part{a.data + static_cast<std::ptrdiff_t>(k) * a.column, a.row, a.column};
    const float* b_part = b + static_cast<std::ptrdiff_t>(k) * b_row;
    const Start from = k == 0 ? start : Start{c, c_row};
    std::size_t j = 0;
    const auto at = [&](std::size_t column) {
      return Start{from.data == nullptr ? nullptr : from.data + column, from.row};
    };
    for (std::size_t vectors = columns / n; vectors > 0;) {
      const std::size_t take = vectors == 4 || vectors == 2 ? 2 : vectors >= 3 ? 3 : 1;
      if (take == 3) {
        Panel<kAccumulators / 3, 3>(rows, deep, part, b_part + j, b_row, at(j), c + j, c_row);
      } else if (take == 2) {
        Panel<kAccumulators / 2, 2>(rows, deep, part, b_part + j, b_row, at(j), c + j, c_row);
      } else {
        Panel<(kAccumulators > 16 ? 16 : 8), 1>(rows, deep, part, b_part + j, b_row, at(j), c + j, c_row);
      }
      vectors -= take;
      j += take * n;
    }
    if (j < columns)
      Panel<(kAccumulators > 16 ? 16 : 8), 1, true>(rows, deep, part, b_part + j, b_row, at(j), c + j, c_row,
                                                    columns - j);
  }
}

// to[j * to_row + i] = factor * from[i * from_row + j] for i < rows, j < columns.
inline void Transpose(std::size_t rows, std::size_t columns, const float* HWY_RESTRICT from, std::ptrdiff_t from_row,
                      float* HWY_RESTRICT to, std::ptrdiff_t to_row, float factor = 1) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  // In blocks of 4 x 4.
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto f = hn::Set(d, factor);
  for (; i + 4 <= rows; i += 4) {
    const float* r = from + static_cast<std::ptrdiff_t>(i) * from_row;
    std::size_t j = 0;
    for (; j + 4 <= columns; j += 4) {
      const auto r0 = hn::Mul(f, hn::LoadU(d, r + j)), r1 = hn::Mul(f, hn::LoadU(d, r + from_row + j)),
                 r2 = hn::Mul(f, hn::LoadU(d, r + 2 * from_row + j)),
                 r3 = hn::Mul(f, hn::LoadU(d, r + 3 * from_row + j));
      const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1)),
                 low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
      const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1)),
                 high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
      float* out = to + static_cast<std::ptrdiff_t>(j) * to_row + i;
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, out);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, out + to_row);
      hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, out + 2 * to_row);
      hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, out + 3 * to_row);
    }
    for (; j < columns; ++j)
      for (std::size_t s = 0; s < 4; ++s)
        to[static_cast<std::ptrdiff_t>(j) * to_row + i + s] = factor * r[static_cast<std::ptrdiff_t>(s) * from_row + j];
  }
#endif
  for (; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      to[static_cast<std::ptrdiff_t>(j) * to_row + i] = factor * from[static_cast<std::ptrdiff_t>(i) * from_row + j];
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
