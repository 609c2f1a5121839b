// Rows of dropout bits as factors of vectors. Included once for each instruction set.
#if defined(POSENC_KERNELS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_BITS_INL_H_
#undef POSENC_KERNELS_BITS_INL_H_
#else
#define POSENC_KERNELS_BITS_INL_H_
#endif

#include "kernels/gemm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

using IntTag = hn::RebindToSigned<FloatTag>;

// 1 << lane in each lane.
HWY_INLINE hn::Vec<IntTag> LaneBits() {
  const IntTag d;
  HWY_ALIGN std::int32_t bits[hn::MaxLanes(d)];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) bits[i] = static_cast<std::int32_t>(1u << i);
  return hn::Load(d, bits);
}

// `factor` in the lanes whose bit of a row is set, from column `column` (a multiple of the lanes) on; 0 in the others.
// lane_bits: LaneBits().
HWY_INLINE FloatVector KeepRow(const std::uint32_t* row, std::size_t column, hn::Vec<IntTag> lane_bits,
                               FloatVector factor) {
  const IntTag d;
  const auto word = hn::Set(d, static_cast<std::int32_t>(row[column / 32] >> (column % 32)));
  return hn::IfThenElseZero(hn::RebindMask(FloatTag(), hn::TestBit(word, lane_bits)), factor);
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
