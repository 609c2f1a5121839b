#include "posenc/saved_model.h"

#include <fmt/format.h>

#include <cmath>

#include "checkpoint/checkpoint.h"
#include "posenc/catalog.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "training/at_length.h"
#include "training/length_test.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {
namespace {

[[noreturn]] void refuse_to_answer(const std::string& path, const std::string& where) {
  throw Error(fmt::format("{}: the model's logits {} are not finite, so it has no answer", path, where),
              Error::Kind::failure);
}

}  // namespace

RunResult evaluate(const RunConfig& config, const std::string& path, const std::vector<LengthSteps>& steps_at) {
  use_threads(config.threads);
  check_machine(config);
  // Weights are drawn although they are replaced: the data that follow them in the stream must be those of the run.
  Trainer trainer(config);
  load_checkpoint(path, trainer.model());
  RunResult result;
  result.epochs.push_back({config.epochs, std::nan(""), trainer.validate()});
  result.steps_at = steps_at;
  result.lengths = trainer.test_lengths(trained_on(config, steps_at), nullptr);
  if (std::isnan(result.last().val_acc)) refuse_to_answer(path, "on the validation set");
  if (const std::int64_t length = length_without_answer(result.lengths); length > 0)
    refuse_to_answer(path, fmt::format("at length {}", length));
  return result;
}

struct Predictor::Model {
  std::string path;
  RunConfig config;
  int64_t trained;  // positions
  torch::Device device;
  std::shared_ptr<TinyTransformer> transformer;
};

Predictor::Predictor(const RunConfig& config, const std::string& path, const std::vector<std::int64_t>& trained) {
  use_threads(config.threads);
  check_machine(config);
  const torch::Device device = open_device(config.device);
  model_ = std::make_unique<Model>(
      Model{path, config, positions_trained(config, trained.back()), device, make_model(config)});
  load_checkpoint(path, *model_->transformer);
  model_->transformer->to(device);
  if (uses_kernels(config)) model_->transformer->use_kernels();
}

Predictor::~Predictor() = default;

Prediction Predictor::predict(std::span<const std::int64_t> tokens) const {
  const torch::InferenceMode inference;
  const RunConfig& config = model_->config;
  check_sequence(config, model_->trained, static_cast<std::int64_t>(tokens.size()));
  const torch::Tensor sequence =
      torch::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())).unsqueeze(/*dim=*/0).to(model_->device);
  at::Generator generator = evaluation_generator(config);
  AtLength asked(*model_->transformer, config.oob, model_->trained, model_->transformer->length_of(sequence));
  const torch::Tensor logits = asked.logits(sequence, generator);  // (1,classes)
  if (!logits.isfinite().all().item<bool>()) refuse_to_answer(model_->path, "for the sequence");
  const torch::Tensor probabilities = torch::softmax(logits[0].to(torch::kFloat64), /*dim=*/0).cpu();
  const double* values = probabilities.const_data_ptr<double>();
  return {probabilities.argmax().item<int64_t>(), {values, values + probabilities.numel()}};
}

}  // namespace posenc
