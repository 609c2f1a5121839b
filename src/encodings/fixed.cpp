// x_p + S[p], sines and cosines: Vaswani et al. 2017 (arXiv 1706.03762), section 3.5; the published `fixed`. Variant
// t2t is that paper's own code (tensor2tensor), whose table differs: sines, then cosines, w_k = 10000^(-k/(d/2-1)).
#include <fmt/format.h>

#include <cmath>

#include "encodings/distance.h"
#include "encodings/table.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

torch::Tensor t2t_sinusoid(const torch::Tensor& positions, int64_t d_model) {
  const double step = -std::log(10000.0) / static_cast<double>(d_model / 2 - 1);
  const torch::Tensor rate = torch::exp(torch::arange(d_model / 2, torch::kFloat64) * step);
  const torch::Tensor angle = positions.to(torch::kFloat64).unsqueeze(/*dim=*/1) * rate;  // (N,D/2)
  return torch::cat({angle.sin(), angle.cos()}, /*dim=*/1).to(torch::kFloat);
}

class Fixed : public Encoding {
 public:
  using Compute = torch::Tensor (*)(const torch::Tensor& positions, int64_t d_model);  // (N) -> (N,D)

  Fixed(int64_t max_len, int64_t d_model, Compute compute)
      : compute_(compute), pe_(register_buffer("pe", compute(torch::arange(max_len), d_model))) {}

  torch::Tensor rows(const torch::Tensor& positions) override {
    // The saved table is max_len rows of a function that goes on.
    if (last_position(positions) < pe_.size(0)) return table_rows(pe_, positions);
    return compute_(positions, pe_.size(1)).to(pe_.options());
  }

  Reads reads() const override { return Reads::positions; }

 private:
  Compute compute_;
  torch::Tensor pe_;  // (max_len,D)
};

bool is_t2t(const Parameters& parameters) { return parameters.text("variant") == "t2t"; }

std::string fixed_misfit(const EncodingSizes& sizes, const Parameters& parameters) {
  if (!is_t2t(parameters) || (sizes.d_model % 2 == 0 && sizes.d_model >= 4)) return "";
  return fmt::format("variant=t2t needs an even --d-model of 4 or more (given {})", sizes.d_model);
}

}  // namespace

namespace encodings {

EncodingEntry fixed() {
  EncodingEntry entry;
  entry.name = "fixed";
  entry.formula = "x_p + S[p], S[p,2k] = sin(p w_k), S[p,2k+1] = cos(p w_k), w_k = 10000^(-2k/d)";
  entry.source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.5";
  entry.parameters = {{"variant", ValueType::choice({"paper", "t2t"}), std::string("paper"),
                       "as the paper writes it, or as its code (tensor2tensor) computes it"}};
  entry.misfit = fixed_misfit;
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.floats_held = [](const EncodingSizes& sizes, const Parameters&, double, double) {
    return 6 * static_cast<double>(sizes.max_len) * static_cast<double>(sizes.d_model);  // while the table is computed
  };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Fixed>(sizes.max_len, sizes.d_model, is_t2t(parameters) ? t2t_sinusoid : sinusoid);
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
