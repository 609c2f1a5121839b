// Tables of sines at positions where single precision has lost the angle.
#include "encodings/distance.h"

#include <cmath>
#include <numeric>

#include "posenc/encoding.h"
#include "posenc/wrapper.h"
#include "support/torch_catch.h"

using namespace posenc;

namespace {

// The row that `choice` adds to an embedding of width `d_model` at each position.
torch::Tensor rows(const std::string& choice, int64_t d_model, const std::vector<int64_t>& positions) {
  const auto scheme = make_position_scheme(choice, {.d_model = d_model, .heads = 1, .max_len = 4});
  const torch::Tensor at = torch::tensor(positions);
  return scheme.encoding->embed(torch::zeros({1, at.numel(), d_model}), at)[0];
}

const std::vector<int64_t> kLate = {128, 512, 4999, 65535, 999999};

}  // namespace

TEST_CASE("fixed has the sines of late positions to single precision", "[encodings]") {
  // Computed outside the program, with the angles in double precision.
  const torch::Tensor late = rows("fixed", 32, {4999, 999999});
  CHECK(greatest_difference(late[0].slice(0, 2, 6), torch::tensor({0.54897743, -0.83583717, -0.56587783, -0.82448910},
                                                                  torch::kFloat64)) < 1e-7);
  CHECK(greatest_difference(late[1].slice(0, 2, 4), torch::tensor({0.92481572, -0.38041541}, torch::kFloat64)) < 1e-7);
}

TEST_CASE("every late row of a sinusoid is the rounded sine of an angle in double precision", "[encodings]") {
  constexpr int64_t kWidth = 14;
  const torch::Tensor paper = rows("fixed", kWidth, kLate), code = rows("fixed:variant=t2t", kWidth, kLate);
  std::vector<int64_t> negative;
  for (const int64_t position : kLate) negative.push_back(-position);
  const torch::Tensor before = sinusoid(torch::tensor(negative), kWidth);  // xl's later keys
  for (std::size_t i = 0; i < kLate.size(); ++i)
    for (int64_t k = 0; k < kWidth / 2; ++k) {
      const auto row = static_cast<int64_t>(i);
      const double p = static_cast<double>(kLate[i]), angle = p * std::pow(10000.0, -2.0 * k / kWidth),
                   of_code = p * std::pow(10000.0, -k / (kWidth / 2 - 1.0));
      INFO("position " << kLate[i] << ", pair " << k);
      CHECK(paper[row][2 * k].item<double>() == Approx(std::sin(angle)).margin(6e-8));
      CHECK(paper[row][2 * k + 1].item<double>() == Approx(std::cos(angle)).margin(6e-8));
      CHECK(before[row][2 * k].item<double>() == Approx(-std::sin(angle)).margin(6e-8));
      CHECK(before[row][2 * k + 1].item<double>() == Approx(std::cos(angle)).margin(6e-8));
      CHECK(code[row][k].item<double>() == Approx(std::sin(of_code)).margin(6e-8));
      CHECK(code[row][kWidth / 2 + k].item<double>() == Approx(std::cos(of_code)).margin(6e-8));
    }
}

TEST_CASE("early rows are those of PyTorch scripts, bit by bit, and within 1e-5 of exact", "[encodings]") {
  std::vector<int64_t> early(128);
  std::iota(early.begin(), early.end(), 0);
  const torch::Tensor table = rows("fixed", 32, early);
  const auto angles = [](torch::ScalarType type) {
    const torch::Tensor rate = torch::exp(torch::arange(0, 32, 2).to(type) * (-std::log(10000.0) / 32));
    return torch::arange(128).to(type).unsqueeze(1) * rate;
  };
  CHECK(torch::equal(table.slice(1, 0, 32, 2), angles(torch::kFloat).sin()));
  CHECK(torch::equal(table.slice(1, 1, 32, 2), angles(torch::kFloat).cos()));
  CHECK(greatest_difference(table.slice(1, 0, 32, 2), angles(torch::kFloat64).sin()) < 1e-5);
}
