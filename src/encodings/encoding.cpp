#include "posenc/encoding.h"

namespace posenc {

using torch::Tensor;

Tensor Encoding::embed(const Tensor& x, const Tensor& positions) {
  const Tensor added = rows(positions);
  return added.defined() ? x + added : x;
}

Tensor Encoding::rows(const Tensor&) { return {}; }

std::pair<Tensor, Tensor> Encoding::rotate(const Tensor& q, const Tensor& k, const Tensor&, int64_t) { return {q, k}; }

Tensor Encoding::bias(const AttentionInput&) { return {}; }

Tensor Encoding::values(const Tensor&, const Tensor&, int64_t) { return {}; }

Rotation Encoding::rotation(const Tensor&) const { return {}; }

Tensor Encoding::angles(const Tensor&) const { return {}; }

Tensor Encoding::buckets(const Tensor&) const { return {}; }

std::vector<Encoding::FormerTensor> Encoding::former_tensors() const { return {}; }

void Encoding::reset_parameters(at::Generator&) {}

}  // namespace posenc
