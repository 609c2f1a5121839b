// a_ij += b_h[bucket(j-i)]: Raffel et al. 2020 (arXiv 1910.10683), section 2.1. Small distances have a bucket each,
// larger ones share logarithmic ones up to max-distance; two-sided, each sign has half. One table for all layers.
#include <fmt/format.h>

#include <cmath>

#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

// distances (any shape) int64, D = j - i -> buckets 0..buckets-1, in the single precision of the published code.
torch::Tensor t5_buckets(const torch::Tensor& distance, int64_t buckets, int64_t max_distance, bool causal) {
  torch::Tensor bucket = torch::zeros_like(distance);
  torch::Tensor reach;
  if (causal) {
    reach = (-distance).clamp_min(0);
  } else {
    buckets /= 2;
    bucket = (distance > 0).to(torch::kInt64) * buckets;
    reach = distance.abs();
  }
  const int64_t exact = buckets / 2;
  const torch::Tensor ratio = torch::log(reach.clamp_min(1).to(torch::kFloat) / exact) /
                              std::log(static_cast<double>(max_distance) / static_cast<double>(exact));
  const torch::Tensor far = (exact + (ratio * (buckets - exact)).to(torch::kInt64)).clamp_max(buckets - 1);
  return bucket + torch::where(reach < exact, reach, far);
}

class T5 : public Encoding {
 public:
  T5(const EncodingSizes& sizes, int64_t buckets, int64_t max_distance)
      : buckets_(buckets),
        max_distance_(max_distance),
        causal_(sizes.causal),
        std_(1 / std::sqrt(static_cast<double>(sizes.d_model))),
        table_(register_parameter("table", torch::zeros({buckets, sizes.heads}))) {}

  torch::Tensor bias(const AttentionInput& input) override {
    return torch::embedding(table_, buckets(input.positions).to(table_.device())).permute({2, 0, 1});  // (H,L,L)
  }

  torch::Tensor buckets(const torch::Tensor& positions) const override {
    return rows_.get(positions, [&] { return t5_buckets(distances(positions), buckets_, max_distance_, causal_); });
  }

  Reads reads() const override { return Reads::positions; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    table_.normal_(0, std_, generator);
  }

 private:
  int64_t buckets_, max_distance_;
  OfPositions<torch::Tensor> rows_;
  bool causal_;
  double std_;
  torch::Tensor table_;  // (buckets,H)
};

std::string t5_misfit(const EncodingSizes& sizes, const Parameters& parameters) {
  const std::int64_t buckets = parameters.integer("buckets"), most = parameters.integer("max-distance");
  const std::int64_t exact = sizes.causal ? buckets / 2 : buckets / 4;
  if (!sizes.causal && buckets % 2 != 0) return fmt::format("needs an even number of buckets (given {})", buckets);
  if (exact < 1) return fmt::format("needs more buckets (given {}, allowed: from {})", buckets, sizes.causal ? 2 : 4);
  if (most <= exact) return fmt::format("needs a greater max-distance (given {}, allowed: from {})", most, exact + 1);
  return "";
}

}  // namespace

namespace encodings {

EncodingEntry t5() {
  EncodingEntry entry;
  entry.name = "t5";
  entry.formula = "a_ij += b_h[bucket(j-i)]";
  entry.source = "Raffel et al. 2020, arXiv 1910.10683, section 2.1";
  entry.parameters = {
      {"buckets", ValueType::integer(2, 100000), std::int64_t{32}, "rows of the table"},
      {"max-distance", ValueType::integer(2), std::int64_t{128}, "distance from which all share a bucket"}};
  entry.weights = EncodingWeights::shared;
  entry.relative = true;
  entry.misfit = t5_misfit;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters& parameters) {
    return static_cast<double>(parameters.integer("buckets")) * static_cast<double>(sizes.heads);
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<T5>(sizes, parameters.integer("buckets"), parameters.integer("max-distance"));
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
