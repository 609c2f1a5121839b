#include "training/adam.h"

namespace posenc {
namespace {

using torch::Tensor;

int64_t total_of(const std::vector<Tensor>& tensors) {
  int64_t total = 0;
  for (const Tensor& tensor : tensors) total += tensor.numel();
  return total;
}

class KernelAdam : public Adam {
 public:
  KernelAdam(std::vector<Tensor> parameters, double lr)
      : parameters_(std::move(parameters)),
        settings_{.lr = lr},
        gradients_(torch::zeros({total_of(parameters_)})),
        moments_(torch::zeros({2, gradients_.numel()})) {
    int64_t offset = 0;
    for (Tensor& parameter : parameters_) {
      parameter.mutable_grad() = gradients_.narrow(/*dim=*/0, offset, parameter.numel()).view(parameter.sizes());
      offset += parameter.numel();
    }
  }

  void zero_grad() override { gradients_.zero_(); }

  void step() override {
    ++steps_;
    const float* gradient = gradients_.const_data_ptr<float>();
    float* first = moments_.mutable_data_ptr<float>();
    float* second = first + moments_.size(1);
    for (Tensor& parameter : parameters_) {
      const auto count = static_cast<std::size_t>(parameter.numel());
      kernels::adam_step(settings_, steps_, count, gradient, static_cast<float*>(parameter.data_ptr()), first, second);
      gradient += count;
      first += count;
      second += count;
    }
  }

 private:
  std::vector<Tensor> parameters_;
  kernels::AdamSettings settings_;
  Tensor gradients_, moments_;  // of all parameters in their order; first moments, then second
  int64_t steps_ = 0;
};

class OperatorAdam : public Adam {
 public:
  OperatorAdam(std::vector<Tensor> parameters, double lr) : parameters_(std::move(parameters)), lr_(lr) {
    for (const Tensor& parameter : parameters_) {
      first_.push_back(torch::zeros_like(parameter));
      second_.push_back(torch::zeros_like(parameter));
      steps_.push_back(torch::zeros({}));
    }
  }

  void zero_grad() override {
    for (Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  }

  void step() override {
    const torch::NoGradGuard no_grad;
    std::vector<Tensor> gradients;
    for (const Tensor& parameter : parameters_)
      gradients.push_back(parameter.grad().defined() ? parameter.grad() : torch::zeros_like(parameter));
    for (Tensor& step : steps_) step += 1;
    at::_fused_adam_(parameters_, gradients, first_, second_, /*max_exp_avg_sqs=*/{}, steps_, lr_, /*beta1=*/0.9,
                     /*beta2=*/0.999,
                     /*weight_decay=*/0, /*eps=*/1e-8, /*amsgrad=*/false, /*maximize=*/false);
  }

 private:
  std::vector<Tensor> parameters_, first_, second_, steps_;
  double lr_;
};

class OptimAdam : public Adam {
 public:
  OptimAdam(const std::vector<Tensor>& parameters, double lr) : adam_(parameters, torch::optim::AdamOptions(lr)) {}
  void zero_grad() override { adam_.zero_grad(); }
  void step() override { adam_.step(); }

 private:
  torch::optim::Adam adam_;
};

}  // namespace

std::unique_ptr<Adam> make_adam(std::vector<Tensor> parameters, double lr, bool use_kernels) {
  if (use_kernels) return std::make_unique<KernelAdam>(std::move(parameters), lr);
  if (parameters.front().is_cpu()) return std::make_unique<OperatorAdam>(std::move(parameters), lr);
  return std::make_unique<OptimAdam>(parameters, lr);
}

}  // namespace posenc
