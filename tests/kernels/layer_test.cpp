// The fused layer without torch: every instruction set against scalars, on memory of the exact sizes so that a
// sanitizer sees a step beyond them. tests/model/fused_test.cpp compares with LibTorch's operators.
#include "kernels/layer.h"

#include <cmath>
#include <memory>
#include <random>

#include "kernels/head.h"
#include "kernels/instruction_set.h"
#include "support/catch.h"

using namespace posenc::kernels;

namespace {

// Heap memory of exactly this many floats.
class Floats {
 public:
  explicit Floats(std::size_t count = 0, float value = 0) : count_(count), data_(new float[count]) {
    std::fill_n(data_.get(), count, value);
  }
  Floats(std::size_t count, std::mt19937& source, float scale) : Floats(count) {
    std::normal_distribution<float> normal(0, scale);
    for (std::size_t i = 0; i < count; ++i) data_[i] = normal(source);
  }
  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return count_; }
  float operator[](std::size_t i) const { return data_[i]; }

 private:
  std::size_t count_;
  std::unique_ptr<float[]> data_;
};

double greatest_difference(const Floats& a, const Floats& b) {
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) greatest = std::max(greatest, std::abs(double(a[i]) - double(b[i])));
  return greatest;
}

struct Weights {
  Weights(const LayerSizes& s, std::mt19937& source, bool zero) {
    const std::size_t d = s.d_model, f = s.ffn;
    for (const std::size_t count : {3 * d * d, 3 * d, d * d, d, f * d, f, d * f, d, d, d, d, d})
      all.push_back(zero ? Floats(count) : Floats(count, source, 0.3f));
  }
  template <typename Number>
  LayerWeights<Number> pointers() {
    std::vector<Number*> p;
    for (Floats& one : all) p.push_back(one.data());
    return {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]};
  }
  std::vector<Floats> all;
};

struct Result {
  Floats out, dx, d_bias;
  Weights gradients;
};

// One forward and backward pass, everything random and the same every time.
Result both_ways(LayerSizes s, bool drop, bool bias, bool per_sequence) {
  std::mt19937 source(5);
  const std::size_t d = s.d_model, length = s.length;
  s.score_scale = 1 / std::sqrt(static_cast<float>(s.head_width()));
  Weights weights(s, source, false);
  Result result{Floats(s.rows() * d), Floats(s.rows() * d), Floats(), Weights(s, source, true)};
  const Floats x(s.rows() * d, source, 1), d_out(s.rows() * d, source, 1);
  const Floats scores((per_sequence ? s.batch : 1) * s.heads * length * length, source, 1);
  result.d_bias = Floats(scores.size());

  LayerMasks masks;
  std::vector<std::vector<std::uint32_t>> bits;
  if (drop) {
    const auto some = [&](std::size_t rows, std::size_t columns) {
      std::vector<std::uint32_t> words(rows * words_in_row(columns));
      for (std::uint32_t& word : words) word = source() | source();
      bits.push_back(std::move(words));
      return bits.back().data();
    };
    masks.attention = some(s.batch * s.heads * length, length);
    masks.attended = some(s.rows(), d);
    masks.hidden = some(s.rows(), s.ffn);
    masks.output = some(s.rows(), d);
    masks.factor = 4.0f / 3;
  }
  Floats qkv(s.rows() * 3 * d), log_sums(s.batch * s.heads * padded(length)), context(s.rows() * d),
      normed1(s.rows() * d), deviation1(s.rows()), hidden(s.rows() * s.ffn), normed2(s.rows() * d),
      deviation2(s.rows());
  const LayerRecord record{.qkv = qkv.data(),
                           .log_sums = log_sums.data(),
                           .context = context.data(),
                           .normed1 = normed1.data(),
                           .deviation1 = deviation1.data(),
                           .hidden = hidden.data(),
                           .normed2 = normed2.data(),
                           .deviation2 = deviation2.data()};
  const ScoreTerms terms{.bias = bias ? scores.data() : nullptr, .per_sequence = per_sequence, .rotation = {}};
  Workspace workspace;
  layer_forward(s, weights.pointers<const float>(), {x.data()}, terms, masks, record, result.out.data(), workspace);
  layer_backward(s, weights.pointers<const float>(), {x.data()}, terms, masks, record, d_out.data(), {result.dx.data()},
                 result.gradients.pointers<float>(), bias ? result.d_bias.data() : nullptr, workspace);
  // Evaluation, which keeps nothing, says the same.
  Floats evaluated(s.rows() * d);
  layer_forward(s, weights.pointers<const float>(), {x.data()}, terms, masks, {}, evaluated.data(), workspace);
  CHECK(greatest_difference(evaluated, result.out) == 0);
  return result;
}

}  // namespace

TEST_CASE("every instruction set computes what scalars do, whatever the sizes", "[kernels]") {
  const std::vector<LayerSizes> shapes = {{.batch = 3, .length = 1, .d_model = 6, .heads = 3, .ffn = 5},
                                          {.batch = 5, .length = 7, .d_model = 20, .heads = 4, .ffn = 9},
                                          {.batch = 2, .length = 17, .d_model = 36, .heads = 3, .ffn = 50},
                                          {.batch = 7, .length = 16, .d_model = 32, .heads = 4, .ffn = 64},
                                          {.batch = 2, .length = 65, .d_model = 10, .heads = 2, .ffn = 33},
                                          {.batch = 1, .length = 150, .d_model = 12, .heads = 2, .ffn = 7},
                                          {.batch = 1, .length = 3, .d_model = 300, .heads = 2, .ffn = 270}};
  for (LayerSizes shape : shapes)
    for (const bool causal : {false, true})
      for (const bool drop : {false, true})
        for (const int bias : {0, 1, 2}) {
          shape.causal = causal;
          INFO("length " << shape.length << ", width " << shape.d_model << ", causal " << causal << ", drop " << drop
                         << ", bias " << bias);
          use_instruction_set(InstructionSet::scalar);
          Result scalar = both_ways(shape, drop, bias > 0, bias == 2);
          for (const InstructionSet set : instruction_sets_here()) {
            use_instruction_set(set);
            INFO(instruction_set_name());
            Result fast = both_ways(shape, drop, bias > 0, bias == 2);
            CHECK(greatest_difference(fast.out, scalar.out) < 2e-5);
            CHECK(greatest_difference(fast.dx, scalar.dx) < 1e-3);
            CHECK(greatest_difference(fast.d_bias, scalar.d_bias) < 1e-3);
            for (std::size_t i = 0; i < fast.gradients.all.size(); ++i)
              CHECK(greatest_difference(fast.gradients.all[i], scalar.gradients.all[i]) < 2e-3);
          }
        }
  use_instruction_set(instruction_sets_here().front());
}

TEST_CASE("a causal layer's output does not depend on later tokens", "[kernels]") {
  const LayerSizes s{.batch = 1, .length = 40, .d_model = 8, .heads = 2, .ffn = 8, .causal = true};
  std::mt19937 source(1);
  Weights weights(s, source, false);
  Floats x(s.rows() * 8, source, 1), out(s.rows() * 8), other(s.rows() * 8);
  Workspace workspace;
  layer_forward(s, weights.pointers<const float>(), {x.data()}, {}, {}, {}, out.data(), workspace);
  for (std::size_t i = 25 * 8; i < 40 * 8; ++i) x.data()[i] = 9;
  layer_forward(s, weights.pointers<const float>(), {x.data()}, {}, {}, {}, other.data(), workspace);
  for (std::size_t i = 0; i < 25 * 8; ++i) CHECK(out[i] == other[i]);
}

TEST_CASE(
    "the head's loss is minus the logarithm of the label's probability, and its gradient that of finite differences",
    "[kernels]") {
  for (const Pooling pooling : {Pooling::mean, Pooling::first, Pooling::last, Pooling::max}) {
    const HeadSizes s{.batch = 3, .length = 5, .d_model = 7, .classes = 4, .pooling = pooling};
    std::mt19937 source(2);
    Floats x(3 * 5 * 7, source, 1), weight(4 * 7, source, 1), bias(4, source, 1);
    const std::vector<std::int64_t> labels = {2, 0, 3};
    const auto loss = [&] {
      Floats pooled(3 * 7), logits(3 * 4), probabilities(3 * 4);
      head_logits(s, x.data(), weight.data(), bias.data(), pooled.data(), logits.data());
      const double value = head_loss(s, logits.data(), labels.data(), probabilities.data());
      double expected = 0;
      for (std::size_t b = 0; b < 3; ++b)
        expected -= std::log(double(probabilities[b * 4 + static_cast<std::size_t>(labels[b])])) / 3;
      CHECK(value == Approx(expected).epsilon(1e-5));
      return value;
    };
    Floats pooled(3 * 7), logits(3 * 4), probabilities(3 * 4), dx(3 * 5 * 7), d_weight(4 * 7), d_bias(4);
    head_logits(s, x.data(), weight.data(), bias.data(), pooled.data(), logits.data());
    head_loss(s, logits.data(), labels.data(), probabilities.data());
    head_backward(s, x.data(), weight.data(), pooled.data(), probabilities.data(), labels.data(), 1, dx.data(),
                  d_weight.data(), d_bias.data());
    const auto check = [&](Floats& at, const Floats& gradient) {
      for (std::size_t i = 0; i < at.size(); i += 3) {
        const float before = at[i];
        constexpr float kStep = 1e-2f;
        at.data()[i] = before + kStep;
        const double above = loss();
        at.data()[i] = before - kStep;
        const double below = loss();
        at.data()[i] = before;
        CHECK(double(gradient[i]) == Approx((above - below) / (2 * kStep)).margin(2e-3));
      }
    };
    check(x, dx);
    check(weight, d_weight);
    check(bias, d_bias);
  }
}

TEST_CASE("the head's loss and its gradient are those of double precision for logits of any size", "[kernels]") {
  constexpr std::size_t kBatch = 4, kClasses = 5;
  const HeadSizes s{.batch = kBatch, .length = 1, .d_model = 1, .classes = kClasses};
  const std::vector<std::int64_t> labels = {2, 0, 3, 4};
  for (const float scale : {1e-30f, 1.0f, 30.0f, 200.0f, 1e4f, 1e30f}) {
    INFO("logits of the size " << scale);
    std::mt19937 source(2);
    const Floats logits(kBatch * kClasses, source, scale), x(kBatch), weight(kClasses);
    Floats probabilities(kBatch * kClasses), dx(kBatch), d_weight(kClasses), d_bias(kClasses);
    double loss = 0;
    std::vector<double> gradient(kClasses);
    for (std::size_t b = 0; b < kBatch; ++b) {
      const float* row = logits.data() + b * kClasses;
      const double greatest = *std::max_element(row, row + kClasses);
      double sum = 0;
      for (std::size_t k = 0; k < kClasses; ++k) sum += std::exp(double(row[k]) - greatest);
      loss += (std::log(sum) - (double(row[labels[b]]) - greatest)) / kBatch;
      for (std::size_t k = 0; k < kClasses; ++k)
        gradient[k] += (std::exp(double(row[k]) - greatest) / sum - (labels[b] == std::int64_t(k))) / kBatch;
    }
    CHECK(double(head_loss(s, logits.data(), labels.data(), probabilities.data())) == Approx(loss).epsilon(1e-6));
    head_backward(s, x.data(), weight.data(), x.data(), probabilities.data(), labels.data(), 1, dx.data(),
                  d_weight.data(), d_bias.data());
    for (std::size_t k = 0; k < kClasses; ++k) CHECK(double(d_bias[k]) == Approx(gradient[k]).margin(1e-6));
  }
}
