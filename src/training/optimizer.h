// Adam, AdamW and SGD over a model's parameters, with torch.optim's arithmetic, and gradients clipped before a step.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

struct OptimizerSettings {
  // adam: weight decay is L2, a part of the gradient. adamw: weights shrink apart from it. sgd: L2, with momentum.
  enum class Method { adam, adamw, sgd };

  Method method = Method::adam;
  double weight_decay = 0;
  double momentum = 0;       // sgd
  double greatest_norm = 0;  // of all gradients together, as torch.nn.utils.clip_grad_norm_ has it; 0: any
};

OptimizerSettings optimizer_settings(const RunConfig& config);

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void zero_grad() = 0;
  // Clips the gradients, then changes the parameters.
  virtual void step(double learning_rate) = 0;
};

enum class OptimizerEngine {
  kernels,    // posenc's own, with all gradients in one piece of memory: for parameters that are floats on the CPU
  operators,  // LibTorch's fused operators: on the CPU
  library,    // torch::optim
};

// The fastest for parameters on `device`.
OptimizerEngine optimizer_engine(torch::Device device, bool use_kernels);

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings, std::vector<torch::Tensor> parameters,
                                          OptimizerEngine engine);

}  // namespace posenc
