#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include <algorithm>

#include "config/resolve.h"
#include "posenc/run.h"
#include "tools/doctor/checks.h"
#include "tools/doctor/probe.h"
#include "training/evaluation.h"
#include "training/trainer.h"

namespace posenc {
namespace {

using torch::Tensor;

Check evaluation_check(const RunConfig& config) {
  Trainer trainer(config);
  const torch::InferenceMode inference;
  const auto logits = [&] {
    at::Generator generator = evaluation_generator(config);
    return evaluation_logits(trainer.model(), trainer.validation_set().tokens, generator);
  };
  const Tensor once = logits(), twice = logits();
  return measured("evaluation", config.pos, torch::equal(once, twice),
                  fmt::format("two evaluations differ by {:.2g} (must be 0)", difference(once, twice)));
}

// Every parameter's gradient after one step's backward pass.
Check gradients_check(const RunConfig& config) {
  Trainer trainer(config);
  trainer.model()
      .loss(trainer.training_set().tokens, trainer.training_set().labels, torch::arange(config.model_length()),
            Dropout())
      .backward();
  int64_t all = 0, without = 0;
  std::string name;
  for (const auto& parameter : trainer.model().named_parameters()) {
    ++all;
    const Tensor& grad = parameter.value().grad();
    const double greatest = grad.defined() ? grad.abs().max().item<double>() : 0;
    if (greatest > 0 && std::isfinite(greatest)) continue;
    ++without;
    name = parameter.key();
  }
  return measured("gradients", config.pos, without == 0,
                  fmt::format("reach {} of {} tensors{}", all - without, all, without == 0 ? "" : ", not " + name));
}

// The derivative by one weight, of the step that agrees best: a kink of relu may lie within one of them.
double by_differences(Probe& probe, Tensor weight, double expected) {
  const double at = weight.item<double>();
  const auto loss_at = [&](double value) {
    weight.fill_(value);
    return probe.model->loss(probe.tokens, probe.labels, probe.positions, Dropout()).item<double>();
  };
  double best = std::numeric_limits<double>::infinity();
  for (const double step : {1e-4, 1e-5, 1e-6}) {
    const double slope = (loss_at(at + step) - loss_at(at - step)) / (2 * step);
    if (!(std::abs(slope - expected) >= std::abs(best - expected))) best = slope;
  }
  weight.fill_(at);
  return best;
}

Check differences_check(const RunConfig& config) {
  constexpr int64_t kOfEach = 3;
  constexpr double kAllowed = 1e-6;
  Probe probe(config);
  probe.model->loss(probe.tokens, probe.labels, probe.positions, Dropout()).backward();
  const torch::NoGradGuard no_grad;
  double greatest = 0;  // of those that agree
  int64_t tried = 0, apart = 0;
  for (const Tensor& parameter : probe.model->parameters()) {
    const Tensor grad = parameter.grad().reshape({-1}), flat = parameter.view({-1});
    const double size = std::max(grad.abs().max().item<double>(), 1e-3);
    const auto most = grad.abs().argmax().item<int64_t>();
    for (int64_t i = 0; i < std::min(kOfEach, flat.numel()); ++i, ++tried) {
      const int64_t which = (most + i * (flat.numel() / kOfEach + 1)) % flat.numel();
      const double expected = grad[which].item<double>();
      const double off = std::abs(by_differences(probe, flat[which], expected) - expected) / size;
      if (off < kAllowed) {
        greatest = std::max(greatest, off);
      } else {
        ++apart;
      }
    }
  }
  // A kink of relu, or of a bound on positions, may lie so near that no step stays on one side of it.
  constexpr int64_t kKinks = 20;
  return measured(
      "differences", config.pos, apart <= tried / kKinks,
      fmt::format(
          "{} of {} derivatives are finite differences within {:.2g} of their tensor's greatest (must be all but "
          "{}, for kinks)",
          tried - apart, tried, greatest, tried / kKinks));
}

// Fused floats against operators in double precision, with the same dropout masks.
Check kernels_check(const RunConfig& config) {
  constexpr double kPerUnit = 1e-4;
  if (!uses_kernels(config)) return {"kernels", config.pos, Check::Outcome::skipped, "--engine is not fused here"};
  Probe exact(config), fused(config);
  fused.model->to(torch::kFloat32);
  fused.model->use_kernels();
  for (Probe* probe : {&exact, &fused}) {
    const Dropout dropout(config.dropout, at::detail::createCPUGenerator(static_cast<uint64_t>(config.seed)));
    probe->model->loss(probe->tokens, probe->labels, probe->positions, dropout).backward();
  }
  // Floats keep seven digits of the greatest number that they meet.
  double unit = 1;
  for (const Tensor& parameter : exact.model->parameters()) unit = std::max(unit, parameter.abs().max().item<double>());
  const double allowed = kPerUnit * unit;
  double greatest = 0;
  const auto wanted = exact.model->parameters(), found = fused.model->parameters();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double size = std::max(wanted[i].grad().abs().max().item<double>(), 1e-3);
    greatest = std::max(greatest, difference(found[i].grad(), wanted[i].grad()) / size);
  }
  return measured(
      "kernels", config.pos, greatest < allowed,
      fmt::format("gradients differ from operators' in double precision by {:.2g} of their tensor's greatest "
                  "(must be below {:.0g})",
                  greatest, allowed));
}

Check pairing_check(const RunConfig& given, const std::string& other) {
  RunConfig config = given;
  config.seeding = "paired";
  RunConfig others = config;
  others.pos = other;
  Trainer a(config), b(others);
  double greatest = difference(a.training_set().tokens, b.training_set().tokens);
  int64_t shared = 0;
  for (const auto& parameter : a.model().named_parameters()) {
    if (parameter.key().starts_with("pos_enc.")) continue;
    ++shared;
    greatest = std::max(greatest, difference(parameter.value(), b.model().named_parameters()[parameter.key()]));
  }
  return measured(
      "pairing", config.pos, greatest == 0,
      fmt::format("data and {} shared tensors differ from {}'s by {:.2g} under --seeding paired (must be 0)", shared,
                  other, greatest));
}

}  // namespace

std::vector<Check> training_checks(const RunConfig& given, const std::string& other) {
  RunConfig config = given;
  config.device = "cpu";
  config.train_size = config.val_size = std::min<int64_t>(config.batch_size, 64);
  return {evaluation_check(config), gradients_check(config), differences_check(config), kernels_check(config),
          pairing_check(config, other)};
}

}  // namespace posenc
