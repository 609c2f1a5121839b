#include "tools/doctor/probe.h"

#include <ATen/CPUGeneratorImpl.h>

#include <limits>

#include "training/trainer.h"

namespace posenc {

using torch::Tensor;

Probe::Probe(const RunConfig& given) : config(given), model(make_model(given)) {
  constexpr int64_t kSequences = 16;
  at::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(config.seed));
  model->reset_parameters(generator, generator);
  {
    const torch::NoGradGuard no_grad;
    for (Tensor& parameter : model->scheme().encoding->parameters())
      if (parameter.abs().max().item<double>() == 0) parameter.uniform_(-1, 1, generator);
  }
  model->to(torch::kFloat64);
  tokens = torch::randint(0, config.vocab, {kSequences, config.seq_len}, generator, torch::kInt64);
  order_ = torch::randperm(config.seq_len, generator, torch::kInt64);
  labels = torch::arange(kSequences).remainder(make_task(config.task)->classes());
  positions = torch::arange(config.model_length());
}

Tensor Probe::logits(const Tensor& of, const Tensor& at) { return model->forward(of, at, Dropout()); }

Tensor Probe::permuted() const { return tokens.index_select(/*dim=*/1, order_); }

bool Probe::permutation_shows() const {
  const Tensor other = permuted();
  const Tensor changed = (other != tokens).any(/*dim=*/1), turned = (other != tokens.flip(/*dims=*/1)).any(/*dim=*/1);
  return (changed & turned).any().item<bool>();
}

bool Probe::reversal_shows() const { return (tokens != tokens.flip(/*dims=*/1)).any().item<bool>(); }

double difference(const Tensor& a, const Tensor& b) {
  const double greatest = (a - b).abs().max().item<double>();
  return std::isnan(greatest) ? std::numeric_limits<double>::infinity() : greatest;
}

}  // namespace posenc
