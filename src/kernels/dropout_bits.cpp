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
using WordVector = hn::Vec<WordTag>;

constexpr std::ptrdiff_t kN = Mt19937::kWords, kM = 397;

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

// words[i] for begin <= i < end from words[i], words[i + 1] and words[i + shift].
HWY_NOINLINE void TwistRange(std::uint32_t* words, std::ptrdiff_t begin, std::ptrdiff_t end, std::ptrdiff_t shift) {
  const WordTag d;
  const auto n = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const auto one = hn::Set(d, 1u), upper = hn::Set(d, 0x80000000u), matrix = hn::Set(d, 0x9908b0dfu);
  std::ptrdiff_t i = begin;
  for (; i + n <= end; i += n) {
    const auto u = hn::LoadU(d, words + i), v = hn::LoadU(d, words + i + 1);
    const auto mixed = hn::Or(hn::And(u, upper), hn::AndNot(upper, v));
    const auto odd = hn::IfThenElseZero(hn::TestBit(v, one), matrix);
    const auto far = hn::LoadU(d, words + i + shift);
    hn::StoreU(hn::Xor(far, hn::Xor(hn::ShiftRight<1>(mixed), odd)), d, words + i);
  }
  while (i < end) {
    words[i] = words[i + shift] ^ twisted(words[i], words[i + 1]);
    ++i;
  }
}

void Twist(std::uint32_t* words) {
  TwistRange(words, 0, kN - kM, kM);
  TwistRange(words, kN - kM, kN - 1, kM - kN);
  words[kN - 1] = words[kM - 1] ^ twisted(words[kN - 1], words[0]);
}

// Bits as a row after row of a matrix.
class RowWriter {
 public:
  RowWriter(std::uint32_t* bits, std::size_t columns) : out_(bits), columns_(columns), left_(columns) {}

  // The `count` lowest bits of `bits`, at most 32; the others are 0.
  void Push(std::uint64_t bits, std::size_t count) {
    while (count > 0) {
      const std::size_t take = std::min({count, left_, 32 - filled_});
      word_ |= (bits & ((std::uint64_t{1} << take) - 1)) << filled_;
      filled_ += take;
      left_ -= take;
      bits >>= take;
      count -= take;
      if (filled_ == 32 || left_ == 0) {
        *out_++ = static_cast<std::uint32_t>(word_);
        word_ = filled_ = 0;
        if (left_ == 0) left_ = columns_;
      }
    }
  }

 private:
  std::uint32_t* out_;
  std::size_t columns_, left_;
  std::uint64_t word_ = 0;
  std::size_t filled_ = 0;
};

void DrawBits(Mt19937& engine, double keep, std::size_t rows, std::size_t columns, std::uint32_t* bits) {
  const WordTag d;
  const std::size_t n = hn::Lanes(d);  // elements a vector decides
  const auto threshold = static_cast<std::uint64_t>(std::ceil(keep * 0x1p53));
  const auto high_threshold = static_cast<std::uint32_t>(threshold >> 32),
             low_threshold = static_cast<std::uint32_t>(threshold);
  const auto high_mask = hn::Set(d, 0x1fffffu), high_limit = hn::Set(d, high_threshold);
  const auto decide = [&](std::uint32_t first, std::uint32_t second) -> std::uint64_t {
    const std::uint32_t high = tempered(first) & 0x1fffffu;
    return high < high_threshold || (high == high_threshold && tempered(second) < low_threshold) ? 1 : 0;
  };

  // Words not used yet, in the order of use. What is left of one block of the engine is moved before the next.
  constexpr std::size_t kBlocks = 4, kBlock = Mt19937::kWords;
  std::array<std::uint32_t, kBlocks * kBlock + 2 * hn::MaxLanes(WordTag())> queue;
  std::size_t queued = 0, used = 0;                                 // words in the queue, and of those used
  std::size_t place = static_cast<std::size_t>(625 - engine.left);  // of the engine's next word; 624: none left
  std::size_t wanted = 2 * rows * columns;                          // words
  RowWriter writer(bits, columns);
  while (wanted > 0) {
    std::memmove(queue.data(), queue.data() + used, (queued - used) * sizeof(std::uint32_t));
    queued -= used;
    used = 0;
    for (std::size_t block = 0; block < kBlocks && queued < wanted; ++block) {
      if (place == kBlock) {
        Twist(engine.words.data());
        place = 0;
      }
      const std::size_t count = std::min(kBlock - place, wanted - queued);
      std::memcpy(queue.data() + queued, engine.words.data() + place, count * sizeof(std::uint32_t));
      queued += count;
      place += count;
    }
    const std::uint32_t* words = queue.data();
    for (; used + 2 * n <= queued; used += 2 * n) {
      WordVector first, second;
      hn::LoadInterleaved2(d, words + used, first, second);
      auto y = first;
      y = hn::Xor(y, hn::ShiftRight<11>(y));
      y = hn::Xor(y, hn::And(hn::ShiftLeft<7>(y), hn::Set(d, 0x9d2c5680u)));
      y = hn::Xor(y, hn::And(hn::ShiftLeft<15>(y), hn::Set(d, 0xefc60000u)));
      y = hn::And(hn::Xor(y, hn::ShiftRight<18>(y)), high_mask);
      std::uint64_t kept = 0;
      if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Eq(y, high_limit)))) {
        for (std::size_t i = 0; i < n; ++i) kept |= decide(words[used + 2 * i], words[used + 2 * i + 1]) << i;
      } else {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, hn::Lt(y, high_limit), bytes);
        std::memcpy(&kept, bytes, sizeof kept);
      }
      writer.Push(kept, n);
      wanted -= 2 * n;
    }
    // Fewer than a vector are left over at the very end only.
    if (queued == wanted + used && wanted < 2 * n)
      for (; wanted > 0; wanted -= 2, used += 2) writer.Push(decide(words[used], words[used + 1]), 1);
  }
  engine.left = 625 - static_cast<int>(place);
  engine.next = static_cast<std::uint32_t>(place);
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
