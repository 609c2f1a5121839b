#include "encodings/distance.h"

#include <cmath>

namespace posenc {

using torch::Tensor;

Tensor distances(const Tensor& positions) { return positions.unsqueeze(/*dim=*/0) - positions.unsqueeze(/*dim=*/1); }

DistinctDistances distinct_distances(const Tensor& positions) {
  const auto [values, index] = at::_unique(distances(positions), /*sorted=*/true, /*return_inverse=*/true);
  return {values, index};
}

namespace {

// (N), (D/2, rounded up) -> (N,D): sines and cosines by turns.
Tensor by_turns(const Tensor& angle, int64_t d_model) {
  using torch::indexing::None;
  using torch::indexing::Slice;
  Tensor table = torch::empty({angle.size(0), d_model});
  table.index_put_({Slice(), Slice(0, None, 2)}, angle.sin().to(torch::kFloat));
  table.index_put_({Slice(), Slice(1, None, 2)}, angle.narrow(/*dim=*/1, 0, d_model / 2).cos().to(torch::kFloat));
  return table;
}

Tensor angles(const Tensor& positions, int64_t d_model, torch::ScalarType type) {
  const Tensor rate = torch::exp(torch::arange(0, d_model, 2, type) * (-std::log(10000.0) / d_model));
  return positions.to(type).unsqueeze(/*dim=*/1) * rate;
}

}  // namespace

Tensor sinusoid(const Tensor& positions, int64_t d_model) {
  constexpr int64_t kAsPublished = 128;
  const Tensor early = positions.abs() < kAsPublished;
  const Tensor single = by_turns(angles(positions, d_model, torch::kFloat), d_model);
  if (early.all().item<bool>()) return single;
  return torch::where(early.unsqueeze(/*dim=*/1), single,
                      by_turns(angles(positions, d_model, torch::kFloat64), d_model));
}

}  // namespace posenc
