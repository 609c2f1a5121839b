// a_ij + sum_(t=j+1..i) ln sigmoid(w_h . x_t + b_h): Lin et al. 2025, Forgetting Transformer (arXiv 2503.02130),
// equations 7 and 8. Two-sided attention has a second gate for later keys: for j > i the sum runs over t = i..j-1.
// Gates for each layer and head; they read the layer's input, so what is forgotten depends on the tokens.
#include "nn/linear.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Fox : public Encoding {
 public:
  explicit Fox(const EncodingSizes& sizes) : causal_(sizes.causal) {
    const int64_t gates = causal_ ? sizes.heads : 2 * sizes.heads;
    for (int64_t layer = 0; layer < sizes.layers; ++layer)
      gates_.push_back(register_module("gate" + std::to_string(layer), std::make_shared<Linear>(sizes.d_model, gates)));
  }

  torch::Tensor bias(const AttentionInput& input) override {
    const torch::Tensor logs = torch::log_sigmoid(gates_[static_cast<std::size_t>(input.layer)]->forward(input.x))
                                   .transpose(1, 2);  // (B,H or 2H,L)
    const int64_t heads = input.q.size(1);
    const torch::Tensor back = logs.narrow(/*dim=*/1, 0, heads).cumsum(/*dim=*/-1);  // sum over t <= i
    const torch::Tensor to_earlier = back.unsqueeze(-1) - back.unsqueeze(-2);        // (B,H,L,L), for j <= i
    if (causal_) return to_earlier.tril();
    const torch::Tensor forward = logs.narrow(/*dim=*/1, heads, heads);
    const torch::Tensor before = forward.cumsum(/*dim=*/-1) - forward;           // sum over t < j
    const torch::Tensor to_later = before.unsqueeze(-2) - before.unsqueeze(-1);  // for j > i
    return to_earlier.tril() + to_later.triu(/*diagonal=*/1);
  }

  Reads reads() const override { return Reads::content; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    constexpr double kStd = 0.02;  // as the authors' code has it: every gate starts near 1/2
    for (const auto& gate : gates_) {
      gate->weight.normal_(0, kStd, generator);
      gate->bias.zero_();
    }
  }

 private:
  bool causal_;
  std::vector<std::shared_ptr<Linear>> gates_;
};

}  // namespace

namespace encodings {

EncodingEntry fox() {
  EncodingEntry entry;
  entry.name = "fox";
  entry.formula = "a_ij + sum_(t=j+1..i) ln sigmoid(w_h . x_t + b_h)";
  entry.source = "Lin et al. 2025, arXiv 2503.02130";
  // Gates started as PyTorch starts any linear layer before.
  entry.revision = [](const Parameters&) -> std::int64_t { return 2; };
  entry.weights = EncodingWeights::per_layer;
  entry.reads_positions = false;
  entry.relative = true;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    const double gates = static_cast<double>(sizes.causal ? sizes.heads : 2 * sizes.heads);
    return static_cast<double>(sizes.layers) * gates * (static_cast<double>(sizes.d_model) + 1);
  };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters&, double batch, double length) {
    const double maps = sizes.causal ? 3 : 6;  // (B,H,L,L) each: sums, masked sums and their gradients
    return maps * static_cast<double>(sizes.layers * sizes.heads) * batch * length * length;
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters&) -> std::shared_ptr<Encoding> {
    return std::make_shared<Fox>(sizes);
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
