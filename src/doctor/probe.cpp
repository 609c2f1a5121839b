#include "doctor/probe.h"

#include <ATen/CPUGeneratorImpl.h>

#include <limits>

#include "training/trainer.h"

namespace posenc {

using torch::Tensor;

Probe::Probe(const RunConfig& given) : config(given), model(make_model(given)) {
  constexpr int64_t kSequences = 4;
  at::Generator generator = at::detail::createCPUGenerator(static_cast<uint64_t>(config.seed));
  model->reset_parameters(generator, generator);
  {
    const torch::NoGradGuard no_grad;
    for (Tensor& parameter : model->scheme().encoding->parameters())
      if (parameter.abs().max().item<double>() == 0) parameter.uniform_(-1, 1, generator);
  }
  model->to(torch::kFloat64);
  const Tensor starts = torch::randint(0, config.vocab, {kSequences, 1}, generator, torch::kInt64);
  // Steps of one through the vocabulary, and one more after the middle, so that no sequence is its own reversal.
  const Tensor places = torch::arange(config.seq_len);
  tokens = (starts + places + (places > config.seq_len / 2).to(torch::kInt64)).remainder(config.vocab);
  labels = torch::arange(kSequences).remainder(make_task(config.task)->classes());
  positions = torch::arange(config.model_length());
}

Tensor Probe::logits(const Tensor& of, const Tensor& at) { return model->forward(of, at, Dropout()); }

Tensor Probe::permuted() const { return tokens.roll(/*shifts=*/1, /*dims=*/1); }

double difference(const Tensor& a, const Tensor& b) {
  const double greatest = (a - b).abs().max().item<double>();
  return std::isnan(greatest) ? std::numeric_limits<double>::infinity() : greatest;
}

}  // namespace posenc
