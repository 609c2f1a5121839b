#include "kernels/sgd.h"

namespace posenc::kernels {

// Four operations a weight: memory bounds it, so any compiler's vectors do.
void sgd_step(const SgdSettings& settings, std::size_t count, const float* gradient, float* weight, float* velocity) {
  const auto lr = static_cast<float>(settings.lr), momentum = static_cast<float>(settings.momentum),
             decay = static_cast<float>(settings.weight_decay);
  for (std::size_t i = 0; i < count; ++i) {
    velocity[i] = momentum * velocity[i] + (gradient[i] + decay * weight[i]);
    weight[i] -= lr * velocity[i];
  }
}

}  // namespace posenc::kernels
