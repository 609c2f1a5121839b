// x_p + S[p], sines and cosines: Vaswani et al. 2017 (arXiv 1706.03762), section 3.5; the published `fixed`.
#include "encodings/distance.h"
#include "encodings/registry.h"
#include "encodings/table.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Fixed : public Encoding {
 public:
  Fixed(int64_t max_len, int64_t d_model) : pe_(register_buffer("pe", sinusoid(torch::arange(max_len), d_model))) {}

  torch::Tensor embed(const torch::Tensor& x, const torch::Tensor& positions) override {
    // The saved table is max_len rows of a function that goes on.
    if (last_position(positions) < pe_.size(0)) return x + table_rows(pe_, positions);
    return x + sinusoid(positions, pe_.size(1)).to(x.device());
  }

 private:
  torch::Tensor pe_;  // (max_len,D)
};

}  // namespace

EncodingEntry encodings::fixed() {
  EncodingEntry entry;
  entry.name = "fixed";
  entry.formula = "x_p + S[p], S[p,2k] = sin(p w_k), S[p,2k+1] = cos(p w_k), w_k = 10000^(-2k/d)";
  entry.source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.5";
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.make = [](const EncodingSizes& sizes, const Parameters&) -> std::shared_ptr<Encoding> {
    return std::make_shared<Fixed>(sizes.max_len, sizes.d_model);
  };
  return entry;
}

}  // namespace posenc
