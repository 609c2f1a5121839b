#include "training/length_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/encoding_choice.h"
#include "posenc/bounds.h"
#include "posenc/error.h"
#include "training/at_length.h"
#include "training/evaluation.h"
#include "training/random_streams.h"

namespace posenc {
namespace {

using torch::Tensor;

// Sequences of a length that go through the model at once.
int64_t chunk_of(const RunConfig& config, int64_t length) {
  constexpr int64_t kFloats = int64_t{1} << 25;
  return sequences_within(config, length, kFloats, std::min(config.batch_size, config.eval_size));
}

// What bounds answers on sequences of `length`, of which `labels` have each class.
Bounds bounds_at(const RunConfig& config, int64_t length, const std::vector<int64_t>& labels) {
  RunConfig at_length = config;
  at_length.train_len.clear();
  at_length.seq_len = length;
  at_length.val_size = config.eval_size;
  return bounds_of(at_length, catalog(), labels);
}

}  // namespace

LengthResult measured(const Tensor& given, const Tensor& labels) {
  constexpr int64_t kBins = 15;
  const Tensor logits = given.to(torch::kFloat64).cpu(), right = labels.cpu();
  LengthResult result;
  result.size = right.numel();
  if (!logits.isfinite().all().item<bool>()) {
    result.accuracy = result.cross_entropy = result.calibration_error = result.margin =
        std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const Tensor log_probabilities = torch::log_softmax(logits, /*dim=*/1);
  const Tensor of_label = log_probabilities.gather(1, right.unsqueeze(1)).squeeze(1);  // (N)
  const auto [confidence, answer] = log_probabilities.exp().max(/*dim=*/1);
  const Tensor correct = (answer == right).to(torch::kFloat64);
  const Tensor others = logits.scatter(1, right.unsqueeze(1), -std::numeric_limits<double>::infinity()).amax(1);
  const auto count = static_cast<double>(right.numel());

  // Guo et al. 2017 (arXiv 1706.04599), equation 3: over equal bins of confidence, |accuracy - confidence| by share.
  const Tensor bin = (confidence * kBins).to(torch::kInt64).clamp_max(kBins - 1);
  Tensor gap = torch::zeros({kBins}, torch::kFloat64);
  gap.index_add_(0, bin, correct - confidence);
  result.accuracy = correct.sum().item<double>() / count;
  result.cross_entropy = -of_label.mean().item<double>();
  result.calibration_error = gap.abs().sum().item<double>() / count;
  result.margin = (logits.gather(1, right.unsqueeze(1)).squeeze(1) - others).mean().item<double>();
  return result;
}

int64_t length_without_answer(const std::vector<LengthResult>& lengths) {
  for (const LengthResult& each : lengths)
    if (std::isnan(each.accuracy)) return each.length;
  return 0;
}

std::vector<LengthResult> test_lengths(TinyTransformer& model, const RunData& data, const RunConfig& config,
                                       const std::vector<int64_t>& trained, torch::Device device,
                                       const std::function<bool()>& stop_requested) {
  const torch::InferenceMode inference;
  const int64_t bound = positions_trained(config, trained.back());
  std::vector<LengthResult> results;
  for (const int64_t length : read_lengths(config.eval_len, "--eval-len")) {
    const Dataset test = data.test_set(length);
    AtLength asked(model, config.oob, bound, config.model_length(length));
    at::Generator generator = evaluation_generator(config);
    std::vector<Tensor> logits;
    for (const Tensor& tokens : test.tokens.split(chunk_of(config, length))) {
      if (stop_requested && stop_requested()) throw Error("interrupted", Error::Kind::interrupted);
      logits.push_back(asked.logits(tokens.to(device), generator));
    }
    LengthResult result = measured(torch::cat(logits), test.labels);
    result.length = length;
    result.trained = std::binary_search(trained.begin(), trained.end(), length);
    if (!reaches_beyond_table(config.oob))
      result.untrained_positions = std::max<int64_t>(0, config.model_length(length) - bound);
    const Bounds bounds = bounds_at(config, length, test.class_counts(data.classes()));
    result.majority = bounds.majority;
    result.ceiling = bounds.ceiling;
    results.push_back(result);
  }
  return results;
}

}  // namespace posenc
