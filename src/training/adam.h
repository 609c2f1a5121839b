// Adam over a model's parameters, with torch.optim.Adam's arithmetic.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "kernels/adam.h"

namespace posenc {

class Adam {
 public:
  virtual ~Adam() = default;
  virtual void zero_grad() = 0;
  virtual void step() = 0;
};

// By the fastest of: kernels::adam_step(), with all gradients in one piece of memory (`use_kernels`, parameters that
// are floats on the CPU); LibTorch's fused operator (on the CPU); torch::optim::Adam.
std::unique_ptr<Adam> make_adam(std::vector<torch::Tensor> parameters, double lr, bool use_kernels);

}  // namespace posenc
