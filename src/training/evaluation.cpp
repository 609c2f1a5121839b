#include "training/evaluation.h"

namespace posenc {

double accuracy(TinyTransformer& model, const Dataset& data, int64_t chunk) {
  const torch::InferenceMode inference;
  const Dropout keep_all;
  const torch::Tensor positions = torch::arange(data.length());
  torch::Tensor correct = torch::zeros({}, data.labels.options());
  for (int64_t begin = 0; begin < data.size(); begin += chunk) {
    const int64_t count = std::min(chunk, data.size() - begin);
    const torch::Tensor logits = model.forward(data.tokens.narrow(/*dim=*/0, begin, count), positions, keep_all);
    correct += (logits.argmax(/*dim=*/1) == data.labels.narrow(/*dim=*/0, begin, count)).sum();
  }
  return static_cast<double>(correct.item<int64_t>()) / static_cast<double>(data.size());
}

}  // namespace posenc
