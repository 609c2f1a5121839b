#include "kernels/gates.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gates.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/exp-inl.h"
#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

void CountGatesForward(std::size_t count, std::size_t length, float most, const float* scores, float* gates,
                       float* places) {
  const FloatTag d;
  for (std::size_t row = 0; row < count * length; ++row, scores += length, gates += length, places += length) {
    const std::size_t query = row % length;
    ForEachVector(length, [&](std::size_t j, std::size_t n) {
      StoreFirst(Sigmoid(LoadFirst(d, scores + j, n)), d, gates + j, n);
    });
    for (std::size_t j = query + 1; j < length; ++j) gates[j] = places[j] = 0;
    float sum = 0;
    for (std::size_t j = query + 1; j-- > 0;) {
      sum += gates[j];
      places[j] = std::min(sum, most);
    }
  }
}

void CountGatesBackward(std::size_t count, std::size_t length, float most, const float* gates, const float* places,
                        const float* d_places, float* d_scores) {
  for (std::size_t row = 0; row < count * length; ++row) {
    const std::size_t query = row % length;
    float sum = 0;  // a gate counts for all keys up to its own
    for (std::size_t j = 0; j <= query; ++j) {
      if (places[j] < most) sum += d_places[j];
      d_scores[j] = sum * gates[j] * (1 - gates[j]);
    }
    for (std::size_t j = query + 1; j < length; ++j) d_scores[j] = 0;
    gates += length;
    places += length;
    d_places += length;
    d_scores += length;
  }
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(CountGatesForward);
HWY_EXPORT(CountGatesBackward);

void count_gates_forward(std::size_t count, std::size_t length, float most, const float* scores, float* gates,
                         float* places) {
  HWY_DYNAMIC_DISPATCH(CountGatesForward)(count, length, most, scores, gates, places);
}

void count_gates_backward(std::size_t count, std::size_t length, float most, const float* gates, const float* places,
                          const float* d_places, float* d_scores) {
  HWY_DYNAMIC_DISPATCH(CountGatesBackward)(count, length, most, gates, places, d_places, d_scores);
}

}  // namespace posenc::kernels
#endif
