// Exponentials and what is made of them, for every float: a function of Highway is right in a range of its own alone, and
// an instruction set's minimum, maximum and conversions lose a NaN. Included once for each instruction set.
#if defined(POSENC_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_EXP_INL_H_
#undef POSENC_KERNELS_EXP_INL_H_
#else
#define POSENC_KERNELS_EXP_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>

#include "kernels/bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

// e^x for x <= 0, as softmax needs it, within 2 units in the last place; 0 up to -87, where results would be denormal,
// and for minus infinity. Half the instructions of Highway's exp: that is a tenth of a training step at length 64.
HWY_INLINE FloatVector ExpOfNegative(FloatVector x) {
  const FloatTag d;
  const IntTag integers;
  const auto set = [&](float value) { return hn::Set(d, value); };
  // x = n ln 2 + r with |r| <= ln(2) / 2, ln 2 in two parts so that r is exact. n has bounds for any x; r is NaN if x is.
  const auto n = hn::NearestInt(hn::Mul(hn::Max(x, set(-88.0f)), set(1.44269504f)));
  const auto whole = hn::ConvertTo(d, n);
  auto r = hn::NegMulAdd(whole, set(0.693145752f), x);
  r = hn::NegMulAdd(whole, set(1.42860677e-6f), r);
  // e^r = 1 + r + r^2 p(r): Cephes' coefficients.
  auto p = set(1.9875691500e-4f);
  for (const float coefficient :
       {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    p = hn::MulAdd(p, r, set(coefficient));
  const auto e = hn::Add(hn::MulAdd(hn::Mul(r, r), p, r), set(1.0f));
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(integers, 127))));  // 2^n
  return hn::IfThenZeroElse(hn::Le(x, set(-87.0f)), hn::Mul(e, power));
}

// 1 / (1 + e^-x). Highway's exp serves arguments up to 104; from 89 on the quotient is 0.
HWY_INLINE FloatVector Sigmoid(FloatVector x) {
  const FloatTag d;
  const auto one = hn::Set(d, 1.0f);
  const auto e = hn::Exp(d, hn::Min(hn::Neg(x), hn::Set(d, 100.0f)));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Div(one, hn::Add(one, e)));
}

// ln x for a finite x >= 1, as is a sum of exponentials of which the greatest is 1; NaN for NaN.
HWY_INLINE FloatVector LogOfSum(FloatVector x) { return hn::IfThenElse(hn::IsNaN(x), x, hn::Log(FloatTag(), x)); }

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
