// Encodings that stand in for another and do what it does, but for one hook that a derived class overrides.
#pragma once

#include "posenc/encoding.h"

namespace posenc {

class ForwardingEncoding : public Encoding {
 public:
  explicit ForwardingEncoding(Encoding& of) : of_(of) {}

  torch::Tensor embed(const torch::Tensor& x, const torch::Tensor& positions) override {
    return of_.embed(x, positions);
  }
  torch::Tensor rows(const torch::Tensor& positions) override { return of_.rows(positions); }
  std::pair<torch::Tensor, torch::Tensor> rotate(const torch::Tensor& q, const torch::Tensor& k,
                                                 const torch::Tensor& positions, int64_t layer) override {
    return of_.rotate(q, k, positions, layer);
  }
  torch::Tensor bias(const AttentionInput& input) override { return of_.bias(input); }
  torch::Tensor values(const torch::Tensor& probabilities, const torch::Tensor& positions, int64_t layer) override {
    return of_.values(probabilities, positions, layer);
  }
  Reads reads() const override { return of_.reads(); }
  Rotation rotation(const torch::Tensor& positions) const override { return of_.rotation(positions); }

 private:
  Encoding& of_;
};

// Is shown every hook, since no kernel takes a hook over.
class ObservingEncoding : public ForwardingEncoding {
 public:
  using ForwardingEncoding::ForwardingEncoding;
  torch::Tensor rows(const torch::Tensor&) override { return {}; }
  Reads reads() const override { return Reads::probabilities; }
};

}  // namespace posenc
