#include "posenc/inspect.h"

#include <fmt/format.h>

#include "checkpoint/checkpoint.h"
#include "config/memory.h"
#include "config/resolve.h"
#include "encodings/forwarding.h"
#include "posenc/error.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {
namespace {

using torch::Tensor;

// Keeps the bias of one layer.
class BiasWatcher : public ObservingEncoding {
 public:
  BiasWatcher(Encoding& watched, int64_t layer) : ObservingEncoding(watched), layer_(layer) {}

  Tensor bias(const AttentionInput& input) override {
    const Tensor bias = ObservingEncoding::bias(input);
    if (input.layer == layer_) bias_ = bias;
    return bias;
  }

  const Tensor& bias_seen() const { return bias_; }

 private:
  int64_t layer_;
  Tensor bias_;
};

Grid to_grid(const std::string& name, const std::string& unit, std::vector<std::string> axes, const Tensor& tensor) {
  const Tensor flat = (tensor.detach().to(torch::kFloat64) + 0.0).contiguous();  // -0 becomes 0
  const double* values = flat.const_data_ptr<double>();
  return {name, unit, std::move(axes), tensor.sizes().vec(), {values, values + flat.numel()}};
}

std::vector<int64_t> integers(const Tensor& tensor) {
  const int64_t* values = tensor.const_data_ptr<int64_t>();
  return {values, values + tensor.numel()};
}

}  // namespace

Inspection inspect(const RunConfig& given, const std::string& model_path, std::int64_t layer) {
  if (layer < 0 || layer >= given.layers)
    throw Error(fmt::format("--layer: no such layer (given {}, allowed: 0..{})", layer, given.layers - 1));
  RunConfig config = given;
  config.train_size = config.val_size = config.batch_size = 1;
  config.device = "cpu";
  use_threads(config.threads);
  check_machine(config);
  const torch::InferenceMode inference;
  RandomStreams streams(config, torch::kCPU);
  const auto model = make_model(config);
  model->reset_parameters(streams[Stream::shared_weights], streams[Stream::encoding_weights]);
  const Dataset data = draw_dataset(*make_task(config.task), 1, config.seq_len, config.vocab, streams[Stream::data]);
  if (!model_path.empty()) load_checkpoint(model_path, *model);

  const PositionScheme& scheme = model->scheme();
  const int64_t length = config.model_length();
  const Tensor positions = scheme.positions->training_positions(length, streams[Stream::positions]);
  Inspection seen;
  seen.positions = integers(positions);
  seen.score_factor = scheme.scores->score_factor(length);
  for (const Tensor& parameter : scheme.encoding->parameters()) seen.parameters += parameter.numel();

  // An encoding that adds nothing hands back the tensor it was given.
  const Tensor zeros = torch::zeros({1, length, config.d_model});
  if (const Tensor table = scheme.encoding->embed(zeros, positions); !table.is_same(zeros))
    seen.grids.push_back(to_grid("table", "", {"position", "dimension"}, table[0]));
  if (const Tensor angles = scheme.encoding->angles(positions); angles.defined())
    seen.grids.push_back(to_grid("angles", "radians", {"position", "pair"}, angles));

  BiasWatcher watcher(*scheme.encoding, layer);
  model->forward_with(watcher, data.tokens, positions, Dropout());
  if (Tensor bias = watcher.bias_seen(); bias.defined()) {
    if (scheme.encoding->reads() != Encoding::Reads::positions) {
      seen.tokens = integers(data.tokens[0]);
      if (config.bos) seen.tokens.insert(seen.tokens.begin(), config.vocab);
    }
    if (bias.dim() == 4) bias = bias[0];
    // A causal bias of a key after its query is never looked at, and an encoding may leave anything there.
    if (config.causal)
      bias = bias.masked_fill(torch::ones({length, length}, torch::kBool).triu(/*diagonal=*/1),
                              -std::numeric_limits<double>::infinity());
    seen.grids.push_back(to_grid("bias", "", {"head", "query", "key"}, bias));
  }
  if (const Tensor buckets = scheme.encoding->buckets(positions); buckets.defined())
    seen.grids.push_back(to_grid("buckets", "", {"query", "key"}, buckets));
  return seen;
}

}  // namespace posenc
