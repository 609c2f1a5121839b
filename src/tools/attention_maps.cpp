#include <fmt/format.h>

#include "checkpoint/checkpoint.h"
#include "encodings/forwarding.h"
#include "posenc/attention.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "training/at_length.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {
namespace {

using torch::Tensor;

// Keeps the probabilities that values() is shown.
class AttentionWatcher : public ObservingEncoding {
 public:
  using ObservingEncoding::ObservingEncoding;

  Tensor values(const Tensor& probabilities, const Tensor& positions, int64_t layer) override {
    seen_.push_back(probabilities);
    return ObservingEncoding::values(probabilities, positions, layer);
  }

  const std::vector<Tensor>& seen() const { return seen_; }  // (1,H,L,L), one a layer

 private:
  std::vector<Tensor> seen_;
};

}  // namespace

std::vector<Grid> attention(const RunConfig& given, const std::string& path, const std::vector<std::int64_t>& trained,
                            std::span<const std::int64_t> tokens) {
  RunConfig config = given;
  config.device = "cpu";
  use_threads(config.threads);
  const int64_t positions = positions_trained(config, trained.back());
  check_sequence(config, positions, static_cast<std::int64_t>(tokens.size()));
  const torch::InferenceMode inference;
  const auto model = make_model(config);
  load_checkpoint(path, *model);
  const Tensor sequence = torch::tensor(std::vector<int64_t>(tokens.begin(), tokens.end())).unsqueeze(/*dim=*/0);
  at::Generator generator = evaluation_generator(config);
  AtLength asked(*model, config.oob, positions, model->length_of(sequence));
  AttentionWatcher watcher(asked.encoding());
  model->forward_with(watcher, sequence, asked.positions(generator).front(), Dropout());
  std::vector<Grid> grids;
  for (const Tensor& layer : watcher.seen()) {
    if (!layer.isfinite().all().item<bool>())
      throw Error(fmt::format("{}: the model's attention in layer {} is not finite", path, grids.size()),
                  Error::Kind::failure);
    const Tensor flat = layer[0].to(torch::kFloat64).contiguous();  // (H,L,L)
    const double* values = flat.const_data_ptr<double>();
    grids.push_back({fmt::format("attention, layer {}", grids.size()),
                     "",
                     {"head", "query", "key"},
                     flat.sizes().vec(),
                     {values, values + flat.numel()}});
  }
  return grids;
}

}  // namespace posenc
