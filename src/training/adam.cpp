#include "training/adam.h"

namespace posenc {

Adam::Adam(std::vector<torch::Tensor> parameters, double lr, bool by_kernel)
    : parameters_(std::move(parameters)), settings_{.lr = lr} {
  if (!by_kernel) {
    operators_ = std::make_unique<torch::optim::Adam>(parameters_, torch::optim::AdamOptions(lr));
    return;
  }
  int64_t total = 0;
  for (const torch::Tensor& parameter : parameters_) total += parameter.numel();
  moments_ = torch::zeros({2, total});
  gradients_ = torch::zeros({total});
  int64_t offset = 0;
  for (torch::Tensor& parameter : parameters_) {
    parameter.mutable_grad() = gradients_.narrow(/*dim=*/0, offset, parameter.numel()).view(parameter.sizes());
    offset += parameter.numel();
  }
}

void Adam::zero_grad() {
  if (operators_ != nullptr) {
    operators_->zero_grad();
  } else {
    gradients_.zero_();
  }
}

void Adam::step() {
  if (operators_ != nullptr) {
    operators_->step();
    return;
  }
  ++steps_;
  const float* gradient = gradients_.const_data_ptr<float>();
  float* first = moments_.mutable_data_ptr<float>();
  float* second = first + moments_.size(1);
  for (torch::Tensor& parameter : parameters_) {
    const auto count = static_cast<std::size_t>(parameter.numel());
    kernels::adam_step(settings_, steps_, count, gradient, static_cast<float*>(parameter.data_ptr()), first, second);
    gradient += count;
    first += count;
    second += count;
  }
}

}  // namespace posenc
