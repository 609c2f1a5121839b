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
}

void Adam::zero_grad() {
  for (torch::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
}

void Adam::step() {
  if (operators_ != nullptr) {
    operators_->step();
    return;
  }
  ++steps_;
  float* first = moments_.mutable_data_ptr<float>();
  float* second = first + moments_.size(1);
  for (torch::Tensor& parameter : parameters_) {
    const auto count = static_cast<std::size_t>(parameter.numel());
    if (const torch::Tensor& gradient = parameter.grad(); gradient.defined())
      kernels::adam_step(settings_, steps_, count, gradient.contiguous().const_data_ptr<float>(),
                         static_cast<float*>(parameter.data_ptr()), first, second);
    first += count;
    second += count;
  }
}

}  // namespace posenc
