// a_ij - m_h |j-i|, m_h = 2^(-8h/H): Press et al. 2022 (arXiv 2108.12409), section 3. Two-sided attention is symmetric,
// or
// (`mode=split`) one half of the heads sees to the left and the other to the right.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "encodings/distance.h"
#include "encodings/of_positions.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

// m_h for h = 1..heads. A number that is no power of two takes those of the power below it, then every other one of the
// power above, as the authors' code does.
std::vector<float> alibi_slopes(int64_t heads) {
  int64_t power = 1;
  while (power * 2 <= heads) power *= 2;
  std::vector<float> slopes;
  for (int64_t h = 1; h <= power; ++h)
    slopes.push_back(static_cast<float>(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(power))));
  for (int64_t h = 1; static_cast<int64_t>(slopes.size()) < heads; h += 2)
    slopes.push_back(static_cast<float>(std::exp2(-4.0 * static_cast<double>(h) / static_cast<double>(power))));
  return slopes;
}

class Alibi : public Encoding {
 public:
  Alibi(const EncodingSizes& sizes, bool split)
      : split_(split), slopes_(alibi_slopes(split ? sizes.heads / 2 : sizes.heads)) {}

  torch::Tensor bias(const AttentionInput& input) override {
    return bias_.get(input.positions, [&] { return of(input.positions); }).to(input.q.options());
  }

  Reads reads() const override { return Reads::positions; }

 private:
  // (L) -> (H,L,L)
  torch::Tensor of(const torch::Tensor& positions) const {
    const torch::Tensor distance = distances(positions).to(torch::kFloat);  // (L,L)
    const torch::Tensor slope = torch::tensor(slopes_).view({-1, 1, 1});    // (H or H/2,1,1)
    const torch::Tensor bias = -slope * distance.abs();
    if (!split_) return bias;
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    return torch::cat({bias.masked_fill(distance > 0, kNever), bias.masked_fill(distance < 0, kNever)});
  }

  bool split_;
  std::vector<float> slopes_;
  OfPositions<torch::Tensor> bias_;
};

std::string alibi_misfit(const EncodingSizes& sizes, const Parameters& parameters) {
  if (parameters.text("mode") != "split") return "";
  if (sizes.causal) return "has nothing to split under --causal (given mode=split, allowed: mode=symmetric)";
  if (sizes.heads % 2 != 0) return fmt::format("needs an even number of heads to split (given {})", sizes.heads);
  return "";
}

}  // namespace

namespace encodings {

EncodingEntry alibi() {
  EncodingEntry entry;
  entry.name = "alibi";
  entry.formula = "a_ij - m_h |j-i|, m_h = 2^(-8h/H)";
  entry.source = "Press et al. 2022, arXiv 2108.12409";
  entry.parameters = {{"mode", ValueType::choice({"symmetric", "split"}), std::string("symmetric"),
                       "two-sided: every head sees both sides, or half of them each"}};
  entry.relative = true;
  entry.symmetry_of = [](const Parameters& parameters) {
    return parameters.text("mode") == "split" ? Symmetry::none : Symmetry::reversal;
  };
  entry.misfit = alibi_misfit;
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Alibi>(sizes, parameters.text("mode") == "split");
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
