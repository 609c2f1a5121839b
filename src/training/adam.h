// Adam over a model's parameters: torch.optim.Adam's arithmetic, by a kernel where they are on the CPU.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "kernels/adam.h"

namespace posenc {

class Adam {
 public:
  // `by_kernel`: all parameters are floats on the CPU, and kernels::adam_step() takes the step; else
  // torch::optim::Adam.
  Adam(std::vector<torch::Tensor> parameters, double lr, bool by_kernel);

  void zero_grad();
  void step();

 private:
  std::vector<torch::Tensor> parameters_;
  kernels::AdamSettings settings_;
  torch::Tensor gradients_, moments_;  // of all parameters in their order; first moments, then second
  int64_t steps_ = 0;
  std::unique_ptr<torch::optim::Adam> operators_;
};

}  // namespace posenc
