// Positions that count what the query finds relevant: g_ij = sigmoid(q_i . k_j / sqrt(d)), p_ij = min(sum_(t=j..i)
// g_it, P), a_ij += q_i . E[p_ij], E interpolated between whole positions: Golovneva et al. 2024 (arXiv 2405.18719),
// equations 3 to 5. Causal only. One table a layer, shared by its heads, zero at the start as in the authors' code.
#include <algorithm>
#include <cmath>

#include "nn/fused_lookup.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Cope : public Encoding {
 public:
  Cope(const EncodingSizes& sizes, int64_t most)
      : most_(most), table_(register_parameter("table", torch::zeros({sizes.layers, most + 1, sizes.head_width()}))) {}

  torch::Tensor bias(const AttentionInput& input) override {
    const double scale = 1 / std::sqrt(static_cast<double>(input.q.size(-1)));
    const torch::Tensor scores = torch::matmul(input.q, input.k.transpose(-2, -1)) * scale;  // (B,H,L,L)
    const torch::Tensor position = count_gates(scores, static_cast<double>(most_));
    // No place lies beyond the number of tokens, so further rows would be looked at by none.
    const int64_t rows = std::min(most_, input.q.size(2)) + 1;
    const torch::Tensor whole =
        torch::matmul(input.q, table_[input.layer].narrow(/*dim=*/0, 0, rows).t());  // (B,H,L,rows)
    return interpolate(whole, position);
  }

  Reads reads() const override { return Reads::content; }

 private:
  int64_t most_;
  torch::Tensor table_;  // (layers,P+1,d)
};

}  // namespace

namespace encodings {

EncodingEntry cope() {
  EncodingEntry entry;
  entry.name = "cope";
  entry.formula = "a_ij += q_i . E[p_ij], p_ij = min(sum_(t=j..i) sigmoid(q_i . k_t / sqrt(d_h)), P)";
  entry.source = "Golovneva et al. 2024, arXiv 2405.18719";
  entry.parameters = {{"max-position", ValueType::integer(1, 100000), std::int64_t{63}, "P, the greatest position"}};
  entry.weights = EncodingWeights::per_layer;
  entry.causal_only = true;
  entry.reads_positions = false;
  entry.relative = true;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters& parameters) {
    return static_cast<double>(sizes.layers) * (static_cast<double>(parameters.integer("max-position")) + 1) *
           static_cast<double>(sizes.head_width());
  };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters& parameters, double batch, double length) {
    const double rows = std::min(static_cast<double>(parameters.integer("max-position")), length) + 1;
    return static_cast<double>(sizes.layers * sizes.heads) * batch * length * (2 * rows + 3 * length);
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Cope>(sizes, parameters.integer("max-position"));
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
