#include "encodings/distance.h"

#include <cmath>

namespace posenc {

using torch::Tensor;

Tensor distances(const Tensor& positions) { return positions.unsqueeze(/*dim=*/0) - positions.unsqueeze(/*dim=*/1); }

DistinctDistances distinct_distances(const Tensor& positions) {
  const auto [values, index] = at::_unique(distances(positions), /*sorted=*/true, /*return_inverse=*/true);
  return {values, index};
}

Tensor sinusoid(const Tensor& positions, int64_t d_model) {
  using torch::indexing::None;
  using torch::indexing::Slice;
  const Tensor rate = torch::exp(torch::arange(0, d_model, 2, torch::kFloat) * (-std::log(10000.0) / d_model));
  const Tensor angle = positions.to(torch::kFloat).unsqueeze(/*dim=*/1) * rate;  // (N,ceil(D/2))
  Tensor table = torch::empty({positions.numel(), d_model});
  table.index_put_({Slice(), Slice(0, None, 2)}, angle.sin());
  table.index_put_({Slice(), Slice(1, None, 2)}, angle.narrow(/*dim=*/1, 0, d_model / 2).cos());
  return table;
}

}  // namespace posenc
