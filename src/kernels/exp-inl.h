// e^x for x that is not positive, as softmax has it. Half the instructions of Highway's exp, which serves every x: that
// is a tenth of a training step at length 64. Included once for each instruction set.
#if defined(POSENC_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_EXP_INL_H_
#undef POSENC_KERNELS_EXP_INL_H_
#else
#define POSENC_KERNELS_EXP_INL_H_
#endif

#include "kernels/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

// x <= 0 or minus infinity, which is 0; within 2 units in the last place. Below -87, where results would be denormal,
// 0.
HWY_INLINE FloatVector ExpOfNegative(FloatVector x) {
  const FloatTag d;
  const IntTag integers;
  const auto set = [&](float value) { return hn::Set(d, value); };
  // x = n ln 2 + r with |r| <= ln(2) / 2, ln 2 in two parts so that r is exact.
  const auto n = hn::NearestInt(hn::Mul(hn::Max(x, set(-88.0f)), set(1.44269504f)));
  const auto whole = hn::ConvertTo(d, n);
  auto r = hn::NegMulAdd(whole, set(0.693145752f), hn::Max(x, set(-88.0f)));
  r = hn::NegMulAdd(whole, set(1.42860677e-6f), r);
  // e^r = 1 + r + r^2 p(r): Cephes' coefficients.
  auto p = set(1.9875691500e-4f);
  for (const float coefficient :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    p = hn::MulAdd(p, r, set(coefficient));
  const auto e = hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), set(1.0f));
  // times 2^n, added to the exponent's bits
  const auto scaled = hn::BitCast(d, hn::Add(hn::BitCast(integers, e), hn::ShiftLeft<23>(n)));
  return hn::IfThenElseZero(hn::Gt(x, set(-87.0f)), scaled);
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
