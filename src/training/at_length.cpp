#include "training/at_length.h"

#include <fmt/format.h>

#include <map>

#include "config/encoding_choice.h"
#include "config/memory.h"
#include "encodings/forwarding.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "training/evaluation.h"

namespace posenc {
namespace {

using torch::Tensor;

// Spreads the first `trained` rows of a table over a sequence.
class SpreadRows : public ForwardingEncoding {
 public:
  SpreadRows(Encoding& table, int64_t trained) : ForwardingEncoding(table), trained_(trained) {}

  Tensor embed(const Tensor& x, const Tensor& positions) override { return x + rows(positions).to(x.device()); }

  Tensor rows(const Tensor& positions) override {
    const int64_t length = positions.numel();
    // Multiplied before it is divided, so that the last place is the last row and no rounding leads beyond it.
    const Tensor place = torch::arange(length, torch::kFloat64) * (trained_ - 1) / (length - 1);
    const Tensor below = place.floor().to(torch::kInt64), above = place.ceil().to(torch::kInt64);
    const Tensor all = ForwardingEncoding::rows(torch::arange(trained_));  // (M,D)
    const Tensor share = (place - below).to(all.options()).unsqueeze(/*dim=*/1);
    return torch::lerp(all.index_select(0, below.to(all.device())), all.index_select(0, above.to(all.device())), share);
  }

 private:
  int64_t trained_;
};

// Keeps a bias that is the same for every sequence, which for long ones takes longer than all else.
class KeptBias : public ForwardingEncoding {
 public:
  using ForwardingEncoding::ForwardingEncoding;

  Tensor bias(const AttentionInput& input) override {
    if (const auto kept = kept_.find(input.layer);
        kept != kept_.end() && torch::equal(kept->second.first, input.positions))
      return kept->second.second;
    const Tensor bias = ForwardingEncoding::bias(input);
    if (!bias.defined()) return bias;
    constexpr int64_t kMost = int64_t{1} << 27;  // numbers, half a gigabyte; deep models compute the rest again
    if (kept_.erase(input.layer); (static_cast<int64_t>(kept_.size()) + 1) * bias.numel() > kMost) return bias;
    return kept_.emplace(input.layer, std::pair(input.positions, bias.contiguous())).first->second.second;
  }

 private:
  std::map<int64_t, std::pair<Tensor, Tensor>> kept_;  // by layer: the positions, and the bias there
};

}  // namespace

int64_t positions_trained(const RunConfig& config, int64_t longest) {
  RunConfig as_trained = config;
  as_trained.seq_len = longest;
  return trained_positions(read_encoding_choice(config.pos, catalog(), "--pos"), as_trained);
}

void check_sequence(const RunConfig& config, int64_t trained, int64_t length) {
  RunConfig one = config;
  one.seq_len = length;
  one.train_len.clear();
  one.eval_len.clear();
  one.train_size = one.val_size = one.batch_size = 1;
  check_memory(one, catalog());
  check_positions(read_encoding_choice(config.pos, catalog(), "--pos"), config, "the sequence", length, trained,
                  /*table_grows=*/false);
}

AtLength::AtLength(TinyTransformer& model, const std::string& oob, int64_t trained, int64_t seen)
    : model_(model),
      seen_(seen),
      beyond_(seen > trained && reaches_beyond_table(oob)),
      encoding_(model.scheme().encoding.get()) {
  if (beyond_) positions_ = oob == "clamp" ? torch::arange(seen).clamp_max(trained - 1) : torch::arange(seen);
  if (beyond_ && oob == "interpolate") {
    stand_in_ = std::make_unique<SpreadRows>(*encoding_, trained);
  } else if (encoding_->reads() == Encoding::Reads::positions) {
    stand_in_ = std::make_unique<KeptBias>(*encoding_);
  }
  if (stand_in_ != nullptr) encoding_ = stand_in_.get();
}

AtLength::~AtLength() = default;

std::vector<Tensor> AtLength::positions(at::Generator& generator) const {
  if (beyond_) return {positions_};
  return model_.scheme().positions->evaluation_positions(seen_, generator);
}

Tensor AtLength::logits(const Tensor& tokens, at::Generator& generator) {
  return evaluation_logits(model_, *encoding_, tokens, positions(generator));
}

}  // namespace posenc
