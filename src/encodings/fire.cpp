// a_ij + f(psi(|j-i|) / psi(max(L0, m)))_h, psi(x) = ln(c x + 1): Li et al. 2023, FIRE (arXiv 2310.04418), equation 8.
// f is an MLP 1 -> 32 -> H with relu; c and L0 are trained, L0 as a multiplier of 512, as the listing in the paper's
// appendix has it: Adam moves a parameter by about its learning rate a step, which a number of the size of 512 would not
// notice. m is the query's distance from the first position under --causal, the sequence's whole extent otherwise. One
// set for all layers.
#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "nn/linear.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

constexpr int64_t kHidden = 32;
constexpr int64_t kRows = 256;  // queries at a time, where no gradient is wanted
constexpr double kInitialThreshold = 512;

class Fire : public Encoding {
 public:
  explicit Fire(const EncodingSizes& sizes)
      : causal_(sizes.causal),
        c_(register_parameter("c", torch::zeros({1}))),
        multiplier_(register_parameter("multiplier", torch::zeros({1}))),
        hidden_(register_module("hidden", std::make_shared<Linear>(1, kHidden))),
        output_(register_module("output", std::make_shared<Linear>(kHidden, sizes.heads))) {}

  torch::Tensor bias(const AttentionInput& input) override {
    const auto& [apart, reach] = distances_.get(input.positions, [&] {
      const torch::Tensor extent = input.positions - input.positions[0];  // (L)
      return std::pair(distances(input.positions).abs(),
                       causal_ ? extent.unsqueeze(/*dim=*/1) : extent.slice(/*dim=*/0, -1));
    });
    const torch::Tensor distance = apart.to(input.q.options()), m = reach.to(input.q.options());  // (L,L); (L,1) or (1)
    const int64_t length = distance.size(0);
    if (torch::GradMode::is_enabled() || length <= kRows) return of(distance, m);
    // The hidden layer has 32 numbers a pair, which of a long sequence are not kept at once unless they are needed
    // again.
    std::vector<torch::Tensor> rows;
    for (int64_t begin = 0; begin < length; begin += kRows) {
      const int64_t count = std::min(kRows, length - begin);
      rows.push_back(of(distance.narrow(/*dim=*/0, begin, count), causal_ ? m.narrow(/*dim=*/0, begin, count) : m));
    }
    return torch::cat(rows, /*dim=*/1);
  }

  Reads reads() const override { return Reads::positions; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    c_.fill_(0.1);  // both as in the paper's appendix
    multiplier_.fill_(1);
    hidden_->reset_parameters(generator);
    output_->reset_parameters(generator);
  }

  // Revision 1 trained L0 itself.
  std::vector<FormerTensor> former_tensors() const override {
    return {{.was = "threshold", .now = "multiplier", .factor = 1 / kInitialThreshold}};
  }

 private:
  // distance (R,L), m (R,1) or (1) -> (H,R,L)
  torch::Tensor of(const torch::Tensor& distance, const torch::Tensor& m) const {
    const torch::Tensor share = psi(distance) / psi(torch::maximum(kInitialThreshold * multiplier_.abs(), m));
    return output_->forward(torch::relu(hidden_->forward(share.unsqueeze(-1)))).permute({2, 0, 1});
  }

  torch::Tensor psi(const torch::Tensor& x) const { return torch::log1p(c_.abs() * x); }

  bool causal_;
  OfPositions<std::pair<torch::Tensor, torch::Tensor>> distances_;
  torch::Tensor c_, multiplier_;  // (1) each
  std::shared_ptr<Linear> hidden_, output_;
};

}  // namespace

namespace encodings {

EncodingEntry fire() {
  EncodingEntry entry;
  entry.name = "fire";
  entry.formula = "a_ij + f(psi(|j-i|) / psi(max(L0, m)))_h, psi(x) = ln(c x + 1)";
  entry.revision = [](const Parameters&) -> std::int64_t { return 2; };
  entry.source = "Li et al. 2023, arXiv 2310.04418, equation 8";
  entry.weights = EncodingWeights::shared;
  entry.relative = true;
  entry.symmetry = Symmetry::reversal;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    const double heads = static_cast<double>(sizes.heads), hidden = static_cast<double>(kHidden);
    return 2 + 2 * hidden + (hidden + 1) * heads;
  };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters&, double, double length) {
    return static_cast<double>(sizes.layers) * length * length * 3 * static_cast<double>(kHidden);
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters&) -> std::shared_ptr<Encoding> {
    return std::make_shared<Fire>(sizes);
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
