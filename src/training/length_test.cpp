#include "training/length_test.h"

#include <algorithm>
#include <cmath>

#include "config/encoding_choice.h"
#include "posenc/bounds.h"
#include "posenc/error.h"
#include "training/evaluation.h"
#include "training/random_streams.h"

namespace posenc {
namespace {

using torch::Tensor;

// Stands in for an encoding with one trained row a position, of which it spreads the first `trained` over the length.
class SpreadRows : public Encoding {
 public:
  SpreadRows(Encoding& table, int64_t trained) : table_(table), trained_(trained) {}

  Tensor rows(const Tensor& positions) override {
    const int64_t length = positions.numel();
    const Tensor place =
        torch::arange(length, torch::kFloat64) * (static_cast<double>(trained_ - 1) / static_cast<double>(length - 1));
    const Tensor below = place.floor().to(torch::kInt64), above = place.ceil().to(torch::kInt64);
    const Tensor all = table_.rows(torch::arange(trained_));  // (M,D)
    const Tensor share = (place - below).to(all.options()).unsqueeze(/*dim=*/1);
    return torch::lerp(all.index_select(0, below), all.index_select(0, above), share);
  }

  Reads reads() const override { return table_.reads(); }

 private:
  Encoding& table_;
  int64_t trained_;
};

// Sequences of a length that go through the model at once.
int64_t chunk_of(const RunConfig& config, int64_t length) {
  constexpr int64_t kFloats = int64_t{1} << 25;
  return sequences_within(config, length, kFloats, std::min(config.batch_size, config.eval_size));
}

Tensor logits_of(TinyTransformer& model, const Tensor& tokens, const std::string& policy, int64_t trained,
                 at::Generator& generator) {
  const int64_t length = model.length_of(tokens);
  if (length <= trained || policy == "untrained" || policy == "error")
    return evaluation_logits(model, tokens, generator);
  if (policy == "clamp") return model.forward(tokens, torch::arange(length).clamp_max(trained - 1), Dropout());
  SpreadRows spread(*model.scheme().encoding, trained);
  return model.forward_with(spread, tokens, torch::arange(length), Dropout());
}

}  // namespace

LengthResult measured(const Tensor& given, const Tensor& labels) {
  constexpr int64_t kBins = 15;
  const Tensor logits = given.to(torch::kFloat64).cpu(), right = labels.cpu();
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
  LengthResult result;
  result.size = right.numel();
  result.accuracy = correct.sum().item<double>() / count;
  result.cross_entropy = -of_label.mean().item<double>();
  result.calibration_error = gap.abs().sum().item<double>() / count;
  result.margin = (logits.gather(1, right.unsqueeze(1)).squeeze(1) - others).mean().item<double>();
  return result;
}

std::vector<LengthResult> test_lengths(TinyTransformer& model, const RunData& data, const RunConfig& config,
                                       torch::Device device, const std::function<bool()>& stop_requested) {
  const torch::InferenceMode inference;
  const int64_t bound = trained_positions(read_encoding_choice(config.pos, catalog(), "--pos"), config);
  std::vector<LengthResult> results;
  for (const int64_t length : read_lengths(config.eval_len, "--eval-len")) {
    const Dataset test = data.test_set(length);
    at::Generator generator = evaluation_generator(config);
    std::vector<Tensor> logits;
    for (const Tensor& tokens : test.tokens.split(chunk_of(config, length))) {
      if (stop_requested && stop_requested()) throw Error("interrupted", Error::Kind::interrupted);
      logits.push_back(logits_of(model, tokens.to(device), config.oob, bound, generator));
    }
    LengthResult result = measured(torch::cat(logits), test.labels);
    result.length = length;
    result.trained = trained_lengths(config).contains(length);
    result.untrained_positions =
        config.oob == "untrained" ? std::max<int64_t>(0, config.model_length(length) - bound) : 0;
    RunConfig at_length = config;
    at_length.train_len.clear();
    at_length.seq_len = length;
    at_length.val_size = config.eval_size;
    const Bounds bounds = bounds_of(at_length, catalog());
    result.majority = bounds.majority;
    result.ceiling = bounds.ceiling;
    results.push_back(result);
  }
  return results;
}

}  // namespace posenc
