#include "kernels/dropout_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dropout_bits.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using WordTag = hn::ScalableTag<std::uint32_t>;

constexpr std::size_t kN = Mt19937::kWords, kM = 397;

std::uint32_t twisted(std::uint32_t u, std::uint32_t v) {
  const std::uint32_t mixed = (u & 0x80000000u) | (v & 0x7fffffffu);
  return (mixed >> 1) ^ ((v & 1) != 0 ? 0x9908b0dfu : 0u);
}

std::uint32_t tempered(std::uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

// The recurrence on a line of words rather than a ring of them: words[i + 624] for begin <= i < end from what is
// before.
HWY_NOINLINE void Extend(std::uint32_t* words, std::size_t begin, std::size_t end) {
  const WordTag d;
  const std::size_t n = hn::Lanes(d);
  const auto one = hn::Set(d, 1u), upper = hn::Set(d, 0x80000000u), matrix = hn::Set(d, 0x9908b0dfu);
  std::size_t i = begin;
  for (; i + n <= end; i += n) {
    const auto u = hn::LoadU(d, words + i), v = hn::LoadU(d, words + i + 1);
    const auto mixed = hn::Or(hn::And(u, upper), hn::AndNot(upper, v));
    const auto odd = hn::IfThenElseZero(hn::TestBit(v, one), matrix);
    hn::StoreU(hn::Xor(hn::LoadU(d, words + i + kM), hn::Xor(hn::ShiftRight<1>(mixed), odd)), d, words + i + kN);
  }
  for (; i < end; ++i) words[i + kN] = words[i + kM] ^ twisted(words[i], words[i + 1]);
}

// Bits as one row after another of a matrix.
class RowWriter {
 public:
  RowWriter(std::uint32_t* bits, std::size_t columns) : out_(bits), columns_(columns), left_(columns) {}

  // The `count` lowest bits of `bits`, of which the others are 0, where neither a row nor a word ends among them.
  HWY_INLINE void PushWhole(std::uint32_t bits, std::size_t count) {
    word_ |= bits << filled_;
    filled_ += count;
    left_ -= count;
    if (filled_ == 32 || left_ == 0) Flush();
  }

  // The same wherever they end.
  void Push(std::uint64_t bits, std::size_t count) {
    while (count > 0) {
      const std::size_t take = std::min({count, left_, 32 - filled_});
      PushWhole(static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << take) - 1)), take);
      bits >>= take;
      count -= take;
    }
  }

 private:
  HWY_INLINE void Flush() {
    *out_++ = word_;
    word_ = 0;
    filled_ = 0;
    if (left_ == 0) left_ = columns_;
  }

  std::uint32_t* out_;
  std::size_t columns_, left_;
  std::uint32_t word_ = 0;
  std::size_t filled_ = 0;
};

// What keeps an element, by the first of its words and in a case of two million by the second.
struct Threshold {
  std::uint32_t high, low;

  explicit Threshold(double keep) {
    const auto all = static_cast<std::uint64_t>(std::ceil(keep * 0x1p53));
    high = static_cast<std::uint32_t>(all >> 32);
    low = static_cast<std::uint32_t>(all);
  }
  bool keeps(const std::uint32_t* words) const {
    const std::uint32_t first = tempered(words[0]) & 0x1fffffu;
    return first < high || (first == high && tempered(words[1]) < low);
  }
};

// Whether each of as many elements as a vector has lanes is kept, as bits.
HWY_INLINE std::uint32_t KeepVector(const Threshold& threshold, const std::uint32_t* words) {
  [[maybe_unused]] const WordTag d;
#if HWY_TARGET == HWY_SCALAR
  return threshold.keeps(words) ? 1 : 0;
#else
  const std::size_t n = hn::Lanes(d);
  auto y = hn::ConcatEven(d, hn::LoadU(d, words + n), hn::LoadU(d, words));  // every first word
  y = hn::Xor(y, hn::ShiftRight<11>(y));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<7>(y), hn::Set(d, 0x9d2c5680u)));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<15>(y), hn::Set(d, 0xefc60000u)));
  y = hn::And(hn::Xor(y, hn::ShiftRight<18>(y)), hn::Set(d, 0x1fffffu));
  const auto limit = hn::Set(d, threshold.high);
  if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Eq(y, limit)))) {
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) kept |= static_cast<std::uint32_t>(threshold.keeps(words + 2 * i)) << i;
    return kept;
  }
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, hn::Lt(y, limit), bytes);
  std::uint32_t kept;
  std::memcpy(&kept, bytes, sizeof kept);
  return kept;
#endif
}

void DrawBits(Mt19937& engine, double keep, std::size_t rows, std::size_t columns, std::uint32_t* bits) {
  const std::size_t n = hn::Lanes(WordTag());
  const Threshold threshold(keep);
  RowWriter writer(bits, columns);
  const bool whole = columns % n == 0 && n <= 32;

  // The engine's block of words, then those that follow it.
  constexpr std::size_t kBlocks = 6;
  std::array<std::uint32_t, kBlocks * kN> words;
  std::copy(engine.words.begin(), engine.words.end(), words.begin());
  std::size_t there = kN, place = static_cast<std::size_t>(625 - engine.left);  // words there, and the next to use
  std::size_t wanted = 2 * rows * columns;
  while (wanted > 0) {
    // Whole blocks, as many as are wanted and fit.
    const std::size_t missing = wanted > there - place ? wanted - (there - place) : 0;
    const std::size_t blocks = std::min((missing + kN - 1) / kN, kBlocks - there / kN);
    Extend(words.data(), there - kN, there - kN + blocks * kN);
    there += blocks * kN;
    const std::size_t end = std::min(place + wanted, there), begin = place;
    if (whole) {
      for (; place + 2 * n <= end; place += 2 * n) writer.PushWhole(KeepVector(threshold, words.data() + place), n);
    } else {
      for (; place + 2 * n <= end; place += 2 * n) writer.Push(KeepVector(threshold, words.data() + place), n);
    }
    const bool last = wanted <= end - begin;
    if (last)
      for (; place < end; place += 2) writer.Push(threshold.keeps(words.data() + place) ? 1 : 0, 1);
    wanted -= place - begin;
    if (wanted > 0) {
      // The last block moves to the front; what is unused before it would be lost, so it moves along.
      const std::size_t first = std::min(there - kN, place / kN * kN);
      std::copy(words.begin() + static_cast<std::ptrdiff_t>(first), words.begin() + static_cast<std::ptrdiff_t>(there),
                words.begin());
      there -= first;
      place -= first;
    }
  }
  // The block in which the next word is, or which has just been used up.
  const std::size_t block = place == 0 ? 0 : (place - 1) / kN;
  std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(block * kN), kN, engine.words.begin());
  engine.next = static_cast<std::uint32_t>(place - block * kN);
  engine.left = 625 - static_cast<int>(engine.next);
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(DrawBits);

void draw_bits(Mt19937& engine, double keep, std::size_t rows, std::size_t columns, std::uint32_t* bits) {
  HWY_DYNAMIC_DISPATCH(DrawBits)(engine, keep, rows, columns, bits);
}

}  // namespace posenc::kernels
#endif
