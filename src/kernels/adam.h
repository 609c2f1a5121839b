// Adam (Kingma and Ba 2015, arXiv 1412.6980, algorithm 1) and AdamW (Loshchilov and Hutter 2019, arXiv 1711.05101) over
// arrays of floats, rounding as torch.optim.Adam and AdamW do. No torch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc::kernels {

struct AdamSettings {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  // AdamW: weights shrink by lr * weight_decay; else weight_decay * weight joins the gradient
};

// One step, the `step`-th from 1, of `count` weights with their gradients and moments.
void adam_step(const AdamSettings& settings, std::int64_t step, std::size_t count, const float* gradient, float* weight,
               float* moment1, float* moment2);

}  // namespace posenc::kernels
