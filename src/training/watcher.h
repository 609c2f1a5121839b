// Stands in for an encoding and does what it does: what watches a model derives from it and overrides one hook.
#pragma once

#include "posenc/encoding.h"

namespace posenc {

class Watcher : public Encoding {
 public:
  explicit Watcher(Encoding& watched) : watched_(watched) {}

  torch::Tensor embed(const torch::Tensor& x, const torch::Tensor& positions) override {
    return watched_.embed(x, positions);
  }
  std::pair<torch::Tensor, torch::Tensor> rotate(const torch::Tensor& q, const torch::Tensor& k,
                                                 const torch::Tensor& positions, int64_t layer) override {
    return watched_.rotate(q, k, positions, layer);
  }
  torch::Tensor bias(const AttentionInput& input) override { return watched_.bias(input); }
  torch::Tensor values(const torch::Tensor& probabilities, const torch::Tensor& positions, int64_t layer) override {
    return watched_.values(probabilities, positions, layer);
  }

 private:
  Encoding& watched_;
};

}  // namespace posenc
