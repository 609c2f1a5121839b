// x_p + E[p], E trained: Gehring et al. 2017 (arXiv 1705.03122), BERT; the published protocol's `learnable`.
#include <fmt/format.h>

#include "encodings/table.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"
#include "posenc/error.h"

namespace posenc {
namespace {

class Learnable : public Encoding {
 public:
  Learnable(int64_t max_len, int64_t d_model, double std)
      : std_(std), pe_(register_parameter("pe", torch::zeros({max_len, d_model}))) {}

  torch::Tensor rows(const torch::Tensor& positions) override {
    if (last_position(positions) >= pe_.size(0))
      throw Error(fmt::format("position {} lies beyond the table of learnable (--max-len {})", last_position(positions),
                              pe_.size(0)));
    return table_rows(pe_, positions);
  }

  Reads reads() const override { return Reads::positions; }

  void reset_parameters(at::Generator& generator) override {
    const torch::NoGradGuard no_grad;
    if (std_ > 0) pe_.copy_(torch::randn(pe_.sizes(), generator) * std_);
  }

 private:
  double std_;
  torch::Tensor pe_;  // (max_len,D)
};

}  // namespace

namespace encodings {

EncodingEntry learnable() {
  EncodingEntry entry;
  entry.name = "learnable";
  entry.formula = "x_p + E[p], E trained from N(0, std^2)";
  entry.source = "Gehring et al. 2017, arXiv 1705.03122";
  // The initial norm decides whether training succeeds: Ito et al. 2024, arXiv 2406.08272.
  entry.parameters = {{"std", ValueType::real("[0, 100]"), 0.1, "deviation of the initial table; 0 is zeros"}};
  entry.weights = EncodingWeights::shared;
  entry.bound_to_table = true;
  entry.parameter_count = [](const EncodingSizes& sizes, const Parameters&) {
    return static_cast<double>(sizes.max_len) * static_cast<double>(sizes.d_model);
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Learnable>(sizes.max_len, sizes.d_model, parameters.real("std"));
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
