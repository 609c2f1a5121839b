// log: a_ij - r1 ln(1 + r2 |j-i|); power: a_ij - r1 |j-i|^r2, r2 in (0, 2]: Chi et al. 2022 (arXiv 2205.09921),
// definition 3. r1 and r2 are positive and trained, for each head and layer.
#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Kerple : public Encoding {
 public:
  Kerple(const EncodingSizes& sizes, bool power)
      : power_(power),
        raw1_(register_parameter("raw1", torch::zeros({sizes.layers, sizes.heads, 1, 1}))),
        raw2_(register_parameter("raw2", torch::zeros({sizes.layers, sizes.heads, 1, 1}))) {}

  torch::Tensor bias(const AttentionInput& input) override {
    const torch::Tensor distance = distances_.get(input.positions, [&] { return distances(input.positions).abs(); })
                                       .to(input.q.options());     // (L,L)
    const torch::Tensor r1 = torch::softplus(raw1_[input.layer]);  // (H,1,1)
    if (!power_) return -r1 * torch::log1p(torch::softplus(raw2_[input.layer]) * distance);
    const torch::Tensor r2 = 2 * torch::sigmoid(raw2_[input.layer]);
    // 0^r2 is 0, but its derivative to r2 would be 0 times an infinite logarithm.
    const torch::Tensor apart = distance > 0;
    return -r1 * torch::where(apart, distance, torch::ones_like(distance)).pow(r2) * apart;
  }

  Reads reads() const override { return Reads::positions; }

  // The authors' start: r1 from U(0, 2) and r2 from U(0, 1), or r1 from U(0, 1) and r2 from U(0, 2) as a power.
  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    constexpr double kLeast = 1e-2;  // a start that can still be trained
    const auto softplus_inverse = [](const torch::Tensor& r) { return r.expm1().log(); };
    for (int64_t layer = 0; layer < raw1_.size(0); ++layer) {
      raw1_[layer].copy_(softplus_inverse(raw1_[layer].uniform_(kLeast, power_ ? 1 : 2, generator)));
      const torch::Tensor r2 = raw2_[layer].uniform_(kLeast, power_ ? 2 - kLeast : 1, generator);
      raw2_[layer].copy_(power_ ? torch::logit(r2 / 2) : softplus_inverse(r2));
    }
  }

 private:
  bool power_;
  OfPositions<torch::Tensor> distances_;
  torch::Tensor raw1_, raw2_;  // (layers,H,1,1); r1 = softplus(raw1), r2 = softplus(raw2) or 2 sigmoid(raw2)
};

}  // namespace

namespace encodings {

EncodingEntry kerple() {
  EncodingEntry entry;
  entry.name = "kerple";
  entry.formula = "a_ij - r1 ln(1 + r2 |j-i|), r1 and r2 trained";
  entry.source = "Chi et al. 2022, arXiv 2205.09921";
  entry.parameters = {{"kind", ValueType::choice({"log", "power"}), std::string("log"),
                       "log, or power: a_ij - r1 |j-i|^r2 with r2 in (0, 2)"}};
  // The power kind drew r1 from U(0, 2) before.
  entry.revision = [](const Parameters& parameters) -> std::int64_t {
    return parameters.text("kind") == "power" ? 2 : 1;
  };
  entry.weights = EncodingWeights::per_layer;
  entry.relative = true;
  entry.symmetry = Symmetry::reversal;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    return 2 * static_cast<double>(sizes.layers) * static_cast<double>(sizes.heads);
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Kerple>(sizes, parameters.text("kind") == "power");
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
