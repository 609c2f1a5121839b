// q_i -> R(i w) q_i, k_j -> R(j w) k_j: Su et al. 2021, RoFormer (arXiv 2104.09864), equations 14 to 16. Position
// interpolation (p/scale): Chen et al. 2023 (arXiv 2306.15595). `fraction` rotates the first part of each head, as
// GPT-NeoX.
#include <fmt/format.h>

#include <cmath>

#include "encodings/of_positions.h"
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

// How many pairs of a head's dimensions a fraction of them is: a whole number where it can be built.
double pairs_in(int64_t head_width, double fraction) { return static_cast<double>(head_width / 2) * fraction; }

int64_t rotated_width(int64_t head_width, double fraction) {
  return 2 * static_cast<int64_t>(std::llround(pairs_in(head_width, fraction)));
}

class Rope : public Encoding {
 public:
  // The first `width` of a head's dimensions are rotated.
  Rope(int64_t head_width, int64_t width, double base, double scale, bool interleaved)
      : head_width_(head_width), width_(width), base_(base), scale_(scale), interleaved_(interleaved) {}

  std::pair<torch::Tensor, torch::Tensor> rotate(const torch::Tensor& q, const torch::Tensor& k,
                                                 const torch::Tensor& positions, int64_t) override {
    const torch::Tensor angle = angles(positions);  // (L,m/2)
    const torch::Tensor cos = angle.cos().to(q.options()), sin = angle.sin().to(q.options());
    return {turn(q, cos, sin), turn(k, cos, sin)};
  }

  // In double precision, so that late positions keep their angle.
  torch::Tensor angles(const torch::Tensor& positions) const override {
    const torch::Tensor rate =
        torch::exp(torch::arange(0, width_, 2, torch::kFloat64) * (-std::log(base_) / static_cast<double>(width_)));
    return positions.to(torch::kFloat64).unsqueeze(/*dim=*/1) / scale_ * rate;
  }

  Rotation rotation(const torch::Tensor& positions) const override {
    return rotation_.get(positions, [&] { return of(positions); });
  }

  Reads reads() const override { return Reads::positions; }

 private:
  Rotation of(const torch::Tensor& positions) const {
    const int64_t half = width_ / 2, rest = head_width_ - width_;
    const torch::Tensor angle = angles(positions), cos = angle.cos(), sin = angle.sin();  // (L,m/2)
    const auto spread = [&](const torch::Tensor& first, const torch::Tensor& second, double beyond) {
      const torch::Tensor pairs = interleaved_ ? torch::stack({first, second}, /*dim=*/-1).flatten(-2)
                                               : torch::cat({first, second}, /*dim=*/-1);
      return torch::constant_pad_nd(pairs, {0, rest}, beyond).to(torch::kFloat).contiguous();  // (L,d)
    };
    torch::Tensor partner = torch::arange(head_width_, torch::kInt32);
    for (int64_t c = 0; c < width_; ++c) partner[c] = interleaved_ ? c ^ 1 : (c + half) % width_;
    return {spread(cos, cos, 1), spread(-sin, sin, 0), partner};
  }

  torch::Tensor turn(const torch::Tensor& x, const torch::Tensor& cos, const torch::Tensor& sin) const {
    const int64_t half = width_ / 2;
    const torch::Tensor part = x.narrow(/*dim=*/-1, 0, width_);
    // (B,H,L,m/2) each: the two coordinates of every pair.
    const auto pairs =
        interleaved_ ? part.unflatten(-1, {half, 2}).unbind(-1) : part.unflatten(-1, {2, half}).unbind(-2);
    const torch::Tensor first = pairs[0] * cos - pairs[1] * sin, second = pairs[0] * sin + pairs[1] * cos;
    const torch::Tensor turned =
        interleaved_ ? torch::stack({first, second}, /*dim=*/-1).flatten(-2) : torch::cat({first, second}, /*dim=*/-1);
    if (width_ == x.size(-1)) return turned;
    return torch::cat({turned, x.narrow(/*dim=*/-1, width_, x.size(-1) - width_)}, /*dim=*/-1);
  }

  int64_t head_width_, width_;
  double base_, scale_;
  bool interleaved_;
  OfPositions<Rotation> rotation_;
};

std::string rope_misfit(const EncodingSizes& sizes, const Parameters& parameters) {
  if (sizes.head_width() % 2 != 0)
    return fmt::format("needs an even head width (given d-model {} / heads {} = {})", sizes.d_model, sizes.heads,
                       sizes.head_width());
  const double fraction = parameters.real("fraction"), pairs = pairs_in(sizes.head_width(), fraction);
  constexpr double kRounding = 1e-4;  // 0.33333 is a third
  if (std::abs(pairs - std::round(pairs)) <= kRounding && std::round(pairs) >= 1) return "";
  const auto all = static_cast<double>(sizes.head_width() / 2);
  const double below = std::floor(pairs), above = below + 1;
  return fmt::format("rotates whole pairs of a head's dimensions (given fraction {} of {} pairs, allowed: {}{:.6g})",
                     fraction, all, below < 1 ? "" : fmt::format("{:.6g} or ", below / all), above / all);
}

}  // namespace

namespace encodings {

EncodingEntry rope() {
  EncodingEntry entry;
  entry.name = "rope";
  entry.formula = "q_i -> R(i w) q_i, k_j -> R(j w) k_j, w_k = base^(-2k/d_r), d_r = fraction d_h";
  entry.source = "Su et al. 2021, arXiv 2104.09864";
  entry.parameters = {
      {"base", ValueType::real("(1, 1e12]"), 10000.0, "base of the wavelengths"},
      {"fraction", ValueType::real("(0, 1]"), 1.0, "part of each head's dimensions that is rotated: whole pairs"},
      {"scale", ValueType::real("[1, 1e6]"), 1.0, "position interpolation: positions are divided by it"},
      {"pairing", ValueType::choice({"interleaved", "halves"}), std::string("interleaved"),
       "which dimensions form a pair: neighbours, or the same place in two halves"}};
  entry.relative = true;
  entry.misfit = rope_misfit;
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.make = [](const EncodingSizes& sizes, const Parameters& parameters) -> std::shared_ptr<Encoding> {
    return std::make_shared<Rope>(sizes.head_width(), rotated_width(sizes.head_width(), parameters.real("fraction")),
                                  parameters.real("base"), parameters.real("scale"),
                                  parameters.text("pairing") == "interleaved");
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
