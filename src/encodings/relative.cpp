// a_ij += q_i . r_clip(j-i) / sqrt(d), and as an option out_i += sum_j p_ij r^V_clip(j-i): Shaw et al. 2018
// (arXiv 1803.02155), equations 3 to 5. One set of rows a layer, shared by its heads.
#include <algorithm>
#include <cmath>

#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "encodings/table.h"
#include "nn/fused_lookup.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Relative : public Encoding {
 public:
  Relative(const EncodingSizes& sizes, int64_t clip, bool on_values)
      : clip_(clip),
        scale_(1 / std::sqrt(static_cast<double>(sizes.head_width()))),
        keys_(register_parameter("keys", torch::zeros({sizes.layers, 2 * clip + 1, sizes.head_width()}))) {
    if (on_values) values_ = register_parameter("values", torch::zeros_like(keys_));
  }

  torch::Tensor bias(const AttentionInput& input) override {
    const Reached& reached = reached_in(input.positions);
    const torch::Tensor scores = torch::matmul(input.q, rows(keys_, input.layer, reached).t()) * scale_;  // (B,H,L,R)
    return pick(scores, reached.index);
  }

  torch::Tensor values(const torch::Tensor& probabilities, const torch::Tensor& positions, int64_t layer) override {
    if (!values_.defined()) return {};
    // The probability that falls on each row, then the rows.
    const Reached& reached = reached_in(positions);
    const torch::Tensor index = reached.index.to(probabilities.device()).expand(probabilities.sizes());
    const torch::Tensor sums =
        torch::zeros({probabilities.size(0), probabilities.size(1), probabilities.size(2), reached.count},
                     probabilities.options())
            .scatter_add(/*dim=*/-1, index, probabilities);
    return torch::matmul(sums, rows(values_, layer, reached));
  }

  torch::Tensor buckets(const torch::Tensor& positions) const override {
    return distances(positions).clamp(-clip_, clip_) + clip_;
  }

  Reads reads() const override { return values_.defined() ? Reads::probabilities : Reads::content; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    // Xavier uniform, a layer at a time.
    const double bound = std::sqrt(6.0 / static_cast<double>(keys_.size(1) + keys_.size(2)));
    for (int64_t layer = 0; layer < keys_.size(0); ++layer) {
      keys_[layer].uniform_(-bound, bound, generator);
      if (values_.defined()) values_[layer].uniform_(-bound, bound, generator);
    }
  }

 private:
  // The rows that positions reach: `count` of them from `first`, and for each pair which of these (L,L) int64. A table
  // may be far larger than that.
  struct Reached {
    int64_t first, count;
    torch::Tensor index;
  };

  const Reached& reached_in(const torch::Tensor& positions) const {
    return reached_.get(positions, [&] {
      const int64_t reach = std::min(clip_, last_position(positions) - positions[0].item<int64_t>());
      return Reached{clip_ - reach, 2 * reach + 1, buckets(positions) - (clip_ - reach)};
    });
  }

  static torch::Tensor rows(const torch::Tensor& table, int64_t layer, const Reached& reached) {
    return table[layer].narrow(/*dim=*/0, reached.first, reached.count);
  }

  int64_t clip_;
  OfPositions<Reached> reached_;
  double scale_;
  torch::Tensor keys_;    // (layers,2K+1,d)
  torch::Tensor values_;  // the same, or undefined
};

}  // namespace

namespace encodings {

EncodingEntry relative() {
  EncodingEntry entry;
  entry.name = "relative";
  entry.formula = "a_ij += q_i . r_clip(j-i, -K, K) / sqrt(d_h)";
  entry.source = "Shaw et al. 2018, arXiv 1803.02155";
  entry.parameters = {
      {"clip", ValueType::integer(1, 100000), std::int64_t{16}, "greatest distance with a row of its own"},
      {"values", ValueType::flag(), false, "rows for the values too"}};
  entry.weights = EncodingWeights::per_layer;
  entry.relative = true;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters& parameters) {
    const double rows = 2 * static_cast<double>(parameters.integer("clip")) + 1;
    const double tables = parameters.flag("values") ? 2 : 1;
    return tables * static_cast<double>(sizes.layers) * rows * static_cast<double>(sizes.head_width());
  };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters& parameters, double batch, double length) {
    const double rows = 2 * std::min(static_cast<double>(parameters.integer("clip")), length - 1) + 1;
    const double tables = parameters.flag("values") ? 2 : 1;
    return 3 * tables * static_cast<double>(sizes.layers * sizes.heads) * batch * length * rows;
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Relative>(sizes, parameters.integer("clip"), parameters.flag("values"));
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
