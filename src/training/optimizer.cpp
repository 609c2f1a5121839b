#include "training/optimizer.h"

#include "kernels/adam.h"
#include "kernels/sgd.h"

namespace posenc {
namespace {

using torch::Tensor;
using Method = OptimizerSettings::Method;

// torch.nn.utils.clip_grad_norm_: times greatest / (norm + 1e-6) where that is below 1.
void clip(const std::vector<Tensor>& gradients, double greatest) {
  if (greatest == 0 || gradients.empty()) return;
  const torch::NoGradGuard no_grad;
  const Tensor norm = torch::stack(at::_foreach_norm(gradients, /*ord=*/2)).norm();
  const Tensor factor = (greatest / (norm + 1e-6)).clamp_max(1.0);
  for (Tensor gradient : gradients) gradient.mul_(factor);
}

int64_t total_of(const std::vector<Tensor>& tensors) {
  int64_t total = 0;
  for (const Tensor& tensor : tensors) total += tensor.numel();
  return total;
}

class KernelOptimizer : public Optimizer {
 public:
  KernelOptimizer(const OptimizerSettings& settings, std::vector<Tensor> parameters)
      : settings_(settings),
        parameters_(std::move(parameters)),
        gradients_(torch::zeros({total_of(parameters_)})),
        moments_(torch::zeros({2, gradients_.numel()})) {
    int64_t offset = 0;
    for (Tensor& parameter : parameters_) {
      parameter.mutable_grad() = gradients_.narrow(/*dim=*/0, offset, parameter.numel()).view(parameter.sizes());
      offset += parameter.numel();
    }
  }

  void zero_grad() override { gradients_.zero_(); }

  void step(double learning_rate) override {
    clip({gradients_}, settings_.greatest_norm);
    ++steps_;
    const kernels::AdamSettings adam{
        .lr = learning_rate, .weight_decay = settings_.weight_decay, .decoupled = settings_.method == Method::adamw};
    const kernels::SgdSettings sgd{
        .lr = learning_rate, .momentum = settings_.momentum, .weight_decay = settings_.weight_decay};
    const float* gradient = gradients_.const_data_ptr<float>();
    float* first = moments_.mutable_data_ptr<float>();
    float* second = first + moments_.size(1);
    for (Tensor& parameter : parameters_) {
      const auto count = static_cast<std::size_t>(parameter.numel());
      auto* weight = static_cast<float*>(parameter.data_ptr());
      if (settings_.method == Method::sgd) {
        kernels::sgd_step(sgd, count, gradient, weight, first);
      } else {
        kernels::adam_step(adam, steps_, count, gradient, weight, first, second);
      }
      gradient += count;
      first += count;
      second += count;
    }
  }

 private:
  OptimizerSettings settings_;
  std::vector<Tensor> parameters_;
  Tensor gradients_, moments_;  // of all parameters in their order; first moments or velocities, then second moments
  int64_t steps_ = 0;
};

class OperatorOptimizer : public Optimizer {
 public:
  OperatorOptimizer(const OptimizerSettings& settings, std::vector<Tensor> parameters)
      : settings_(settings), parameters_(std::move(parameters)) {
    for (const Tensor& parameter : parameters_) {
      first_.push_back(torch::zeros_like(parameter));
      second_.push_back(torch::zeros_like(parameter));
      steps_.push_back(torch::zeros({}));
    }
  }

  void zero_grad() override {
    for (Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  }

  void step(double learning_rate) override {
    const torch::NoGradGuard no_grad;
    std::vector<Tensor> gradients;
    for (const Tensor& parameter : parameters_)
      gradients.push_back(parameter.grad().defined() ? parameter.grad() : torch::zeros_like(parameter));
    clip(gradients, settings_.greatest_norm);
    for (Tensor& step : steps_) step += 1;
    switch (settings_.method) {
      case Method::adam:
        at::_fused_adam_(parameters_, gradients, first_, second_, /*max_exp_avg_sqs=*/{}, steps_, learning_rate, kBeta1,
                         kBeta2, settings_.weight_decay, kEps, /*amsgrad=*/false, /*maximize=*/false);
        break;
      case Method::adamw:
        at::_fused_adamw_(parameters_, gradients, first_, second_, /*max_exp_avg_sqs=*/{}, steps_, learning_rate,
                          kBeta1, kBeta2, settings_.weight_decay, kEps, /*amsgrad=*/false, /*maximize=*/false);
        break;
      case Method::sgd:
        // Velocities that start at 0 make the first step that of every other.
        at::_fused_sgd_(parameters_, gradients, settings_.momentum == 0 ? std::vector<Tensor>() : first_,
                        settings_.weight_decay, settings_.momentum, learning_rate, /*dampening=*/0, /*nesterov=*/false,
                        /*maximize=*/false, /*is_first_step=*/false);
    }
  }

 private:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEps = 1e-8;

  OptimizerSettings settings_;
  std::vector<Tensor> parameters_, first_, second_, steps_;
};

class LibraryOptimizer : public Optimizer {
 public:
  LibraryOptimizer(const OptimizerSettings& settings, const std::vector<Tensor>& parameters)
      : settings_(settings), optimizer_(make(settings, parameters)) {}

  void zero_grad() override { optimizer_->zero_grad(); }

  void step(double learning_rate) override {
    std::vector<Tensor> gradients;
    for (torch::optim::OptimizerParamGroup& group : optimizer_->param_groups()) {
      group.options().set_lr(learning_rate);
      for (const Tensor& parameter : group.params())
        if (parameter.grad().defined()) gradients.push_back(parameter.grad());
    }
    clip(gradients, settings_.greatest_norm);
    optimizer_->step();
  }

 private:
  static std::unique_ptr<torch::optim::Optimizer> make(const OptimizerSettings& settings,
                                                       const std::vector<Tensor>& parameters) {
    constexpr double kAnyRate = 1e-3;  // each step sets its own
    switch (settings.method) {
      case Method::adamw:
        return std::make_unique<torch::optim::AdamW>(
            parameters, torch::optim::AdamWOptions(kAnyRate).weight_decay(settings.weight_decay));
      case Method::sgd:
        return std::make_unique<torch::optim::SGD>(
            parameters,
            torch::optim::SGDOptions(kAnyRate).momentum(settings.momentum).weight_decay(settings.weight_decay));
      case Method::adam:
        break;
    }
    return std::make_unique<torch::optim::Adam>(
        parameters, torch::optim::AdamOptions(kAnyRate).weight_decay(settings.weight_decay));
  }

  OptimizerSettings settings_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

Method method_named(const std::string& name) {
  constexpr std::pair<std::string_view, Method> kMethods[] = {{"adamw", Method::adamw}, {"sgd", Method::sgd}};
  for (const auto& [known, method] : kMethods)
    if (name == known) return method;
  return Method::adam;
}

}  // namespace

OptimizerSettings optimizer_settings(const RunConfig& config) {
  return {.method = method_named(config.optimizer),
          .weight_decay = config.weight_decay,
          .momentum = config.momentum,
          .greatest_norm = config.grad_clip};
}

OptimizerEngine optimizer_engine(torch::Device device, bool use_kernels) {
  if (use_kernels) return OptimizerEngine::kernels;
  return device.is_cpu() ? OptimizerEngine::operators : OptimizerEngine::library;
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerSettings& settings, std::vector<Tensor> parameters,
                                          OptimizerEngine engine) {
  switch (engine) {
    case OptimizerEngine::kernels:
      return std::make_unique<KernelOptimizer>(settings, std::move(parameters));
    case OptimizerEngine::operators:
      return std::make_unique<OperatorOptimizer>(settings, std::move(parameters));
    case OptimizerEngine::library:
      break;
  }
  return std::make_unique<LibraryOptimizer>(settings, parameters);
}

}  // namespace posenc
