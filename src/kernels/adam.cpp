#include "kernels/adam.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

void AdamStep(const AdamSettings& settings, std::int64_t step, std::size_t count, const float* gradient, float* weight,
              float* moment1, float* moment2) {
  const FloatTag d;
  const auto set = [&](double x) { return hn::Set(d, static_cast<float>(x)); };
  const auto t = static_cast<double>(step);
  const double correction1 = 1 - std::pow(settings.beta1, t), correction2 = 1 - std::pow(settings.beta2, t);
  const auto beta1 = set(settings.beta1), rest1 = set(1 - settings.beta1), beta2 = set(settings.beta2),
             rest2 = set(1 - settings.beta2), root = set(std::sqrt(correction2)), eps = set(settings.eps),
             size = set(-settings.lr / correction1), decay = set(settings.weight_decay),
             kept = set(1 - settings.lr * settings.weight_decay);
  const bool decays = settings.weight_decay != 0;
  ForEachVector(count, [&](std::size_t i, std::size_t n) {
    auto g = LoadFirst(d, gradient + i, n), w = LoadFirst(d, weight + i, n);
    if (decays && settings.decoupled) w = hn::Mul(w, kept);
    if (decays && !settings.decoupled) g = hn::MulAdd(decay, w, g);
    const auto m = hn::MulAdd(rest1, g, hn::Mul(beta1, LoadFirst(d, moment1 + i, n)));
    const auto v = hn::MulAdd(hn::Mul(rest2, g), g, hn::Mul(beta2, LoadFirst(d, moment2 + i, n)));
    StoreFirst(m, d, moment1 + i, n);
    StoreFirst(v, d, moment2 + i, n);
    const auto below = hn::Add(hn::Div(hn::Sqrt(v), root), eps);
    StoreFirst(hn::MulAdd(size, hn::Div(m, below), w), d, weight + i, n);
  });
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(AdamStep);

void adam_step(const AdamSettings& settings, std::int64_t step, std::size_t count, const float* gradient, float* weight,
               float* moment1, float* moment2) {
  HWY_DYNAMIC_DISPATCH(AdamStep)(settings, step, count, gradient, weight, moment1, moment2);
}

}  // namespace posenc::kernels
#endif
