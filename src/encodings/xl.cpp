// a_ij = ((q_i + u) . k_j + (q_i + v) . W r_(i-j)) / sqrt(d), r sinusoidal: Dai et al. 2019, Transformer-XL
// (arXiv 1901.02860), section 3.3. u, v and W for each layer; offsets of both signs where attention is two-sided.
#include <cmath>

#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "nn/fused_lookup.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Xl : public Encoding {
 public:
  explicit Xl(const EncodingSizes& sizes)
      : heads_(sizes.heads),
        width_(sizes.head_width()),
        u_(register_parameter("u", torch::zeros({sizes.layers, sizes.heads, 1, width_}))),
        v_(register_parameter("v", torch::zeros({sizes.layers, sizes.heads, 1, width_}))),
        w_(register_parameter("w", torch::zeros({sizes.layers, sizes.d_model, sizes.d_model}))) {}

  torch::Tensor bias(const AttentionInput& input) override {
    const double scale = 1 / std::sqrt(static_cast<double>(width_));
    const auto& [distinct, sines] = distances_.get(input.positions, [&] {
      const DistinctDistances all = distinct_distances(input.positions);  // of j - i
      return std::pair(all, sinusoid(-all.values, heads_ * width_));
    });
    const torch::Tensor r = sines.to(input.q.options());  // (R,D)
    const torch::Tensor rows =
        torch::matmul(r, w_[input.layer].t()).view({-1, heads_, width_}).permute({1, 2, 0});  // (H,d,R)
    const torch::Tensor by_distance = torch::matmul(input.q + v_[input.layer], rows);         // (B,H,L,R)
    const torch::Tensor by_key = torch::matmul(u_[input.layer], input.k.transpose(-2, -1));   // (B,H,1,L)
    return (pick(by_distance, distinct.index) + by_key) * scale;
  }

  Reads reads() const override { return Reads::content; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    constexpr double kStd = 0.02;  // as the authors' code has it
    for (int64_t layer = 0; layer < u_.size(0); ++layer)
      for (torch::Tensor* weight : {&u_, &v_, &w_}) (*weight)[layer].normal_(0, kStd, generator);
  }

 private:
  int64_t heads_, width_;
  OfPositions<std::pair<DistinctDistances, torch::Tensor>> distances_;
  torch::Tensor u_, v_;  // (layers,H,1,d)
  torch::Tensor w_;      // (layers,D,D)
};

}  // namespace

namespace encodings {

EncodingEntry xl() {
  EncodingEntry entry;
  entry.name = "xl";
  entry.formula = "a_ij = ((q_i + u) . k_j + (q_i + v) . W r_(i-j)) / sqrt(d_h)";
  entry.source = "Dai et al. 2019, arXiv 1901.02860, section 3.3";
  entry.weights = EncodingWeights::per_layer;
  entry.relative = true;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    const double width = static_cast<double>(sizes.d_model);
    return static_cast<double>(sizes.layers) * (2 * width + width * width);
  };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters&, double batch, double length) {
    return 3 * static_cast<double>(sizes.heads) * batch * length * (2 * length - 1);  // (B,H,L,R), R distances
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters&) -> std::shared_ptr<Encoding> {
    return std::make_shared<Xl>(sizes);
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
