#include "training/evaluation.h"

#include <algorithm>
#include <limits>

namespace posenc {

torch::Tensor evaluation_logits(TinyTransformer& model, const torch::Tensor& tokens, at::Generator& generator) {
  return evaluation_logits(model, *model.scheme().encoding, tokens,
                           model.scheme().positions->evaluation_positions(model.length_of(tokens), generator));
}

torch::Tensor evaluation_logits(TinyTransformer& model, Encoding& encoding, const torch::Tensor& tokens,
                                const std::vector<torch::Tensor>& draws) {
  const Dropout keep_all;
  if (draws.size() == 1) return model.forward_with(encoding, tokens, draws.front(), keep_all);
  torch::Tensor probabilities;
  for (const torch::Tensor& positions : draws) {
    const torch::Tensor one = torch::softmax(model.forward_with(encoding, tokens, positions, keep_all), /*dim=*/1);
    probabilities = probabilities.defined() ? probabilities + one : one;
  }
  return torch::log(probabilities / static_cast<double>(draws.size()));
}

int64_t sequences_within(const RunConfig& config, int64_t length, int64_t floats, int64_t most) {
  const int64_t per_sequence = length * (2 * config.heads * length + 8 * config.d_model + config.ffn);
  return std::clamp<int64_t>(floats / per_sequence, 1, most);
}

double accuracy(TinyTransformer& model, const Dataset& data, int64_t chunk, at::Generator generator) {
  const torch::InferenceMode inference;
  torch::Tensor correct = torch::zeros({}, data.labels.options());
  torch::Tensor finite = torch::ones({}, data.labels.options().dtype(torch::kBool));
  for (int64_t begin = 0; begin < data.size(); begin += chunk) {
    const int64_t count = std::min(chunk, data.size() - begin);
    const torch::Tensor logits = evaluation_logits(model, data.tokens.narrow(/*dim=*/0, begin, count), generator);
    correct += (logits.argmax(/*dim=*/1) == data.labels.narrow(/*dim=*/0, begin, count)).sum();
    finite.logical_and_(logits.isfinite().all());
  }
  if (!finite.item<bool>()) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(correct.item<int64_t>()) / static_cast<double>(data.size());
}

}  // namespace posenc
