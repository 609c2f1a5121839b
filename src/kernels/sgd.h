// Stochastic gradient descent with momentum over arrays of floats, as torch.optim.SGD without dampening. No torch.
#pragma once

#include <cstddef>

namespace posenc::kernels {

struct SgdSettings {
  double lr = 1e-3, momentum = 0, weight_decay = 0;
};

// One step of `count` weights: g = gradient + weight_decay weight; velocity = momentum velocity + g, which starts at 0;
// weight -= lr velocity.
void sgd_step(const SgdSettings& settings, std::size_t count, const float* gradient, float* weight, float* velocity);

}  // namespace posenc::kernels
