// Each relative encoding against its paper's equation, written out in scalars, and against properties that follow from
// it.
#include <cmath>

#include "config/encoding_choice.h"
#include "model/tiny_transformer.h"
#include "posenc/encoding.h"
#include "support/torch_catch.h"

using namespace posenc;

namespace {

constexpr int64_t kBatch = 2, kHeads = 2, kLength = 7, kWidth = 4;  // d_h

EncodingSizes sizes(bool causal = false, int64_t heads = kHeads) {
  return {.d_model = heads * kWidth, .heads = heads, .layers = 2, .max_len = 64, .causal = causal};
}

// An encoding with random weights (those that start at zero too), and random inputs of its second layer, in double.
struct Setup {
  explicit Setup(const std::string& choice, bool causal = false, int64_t heads = kHeads)
      : encoding(make_position_scheme(choice, sizes(causal, heads)).encoding) {
    auto generator = at::detail::createCPUGenerator(11);
    encoding->reset_parameters(generator);
    encoding->to(torch::kFloat64);
    const torch::NoGradGuard no_grad;
    for (auto& parameter : encoding->parameters())
      if (parameter.abs().max().item<double>() == 0) parameter.uniform_(-1, 1, generator);
    const auto options = torch::TensorOptions(torch::kFloat64);
    input.x = torch::randn({kBatch, kLength, heads * kWidth}, generator, options);
    input.q = torch::randn({kBatch, heads, kLength, kWidth}, generator, options);
    input.k = torch::randn({kBatch, heads, kLength, kWidth}, generator, options);
    input.positions =
        torch::tensor({int64_t{0}, int64_t{1}, int64_t{2}, int64_t{4}, int64_t{5}, int64_t{9}, int64_t{40}});
    input.layer = 1;
  }

  torch::Tensor weight(const std::string& name) const { return encoding->named_parameters()[name]; }
  int64_t position(int64_t i) const { return input.positions[i].item<int64_t>(); }

  // bias(), checked against `expected(batch, head, query, key)` wherever the key may be seen.
  template <typename Expected>
  void check(Expected expected, bool causal = false, double tolerance = 1e-5) {
    const torch::NoGradGuard no_grad;
    torch::Tensor bias = encoding->bias(input);
    if (bias.dim() == 3) bias = bias.unsqueeze(0).expand({kBatch, -1, -1, -1});
    bias = bias.to(torch::kFloat64).contiguous();
    const auto values = bias.accessor<double, 4>();
    double greatest = 0;
    for (int64_t b = 0; b < kBatch; ++b)
      for (int64_t h = 0; h < values.size(1); ++h)
        for (int64_t i = 0; i < kLength; ++i)
          for (int64_t j = 0; j < (causal ? i + 1 : kLength); ++j) {
            const double wanted = expected(b, h, i, j);
            if (std::isinf(wanted)) {
              CHECK(values[b][h][i][j] == wanted);
            } else {
              greatest = std::max(greatest, std::abs(values[b][h][i][j] - wanted));
            }
          }
    CHECK(greatest < tolerance);
  }

  double dot(const torch::Tensor& a, const torch::Tensor& b) const { return (a * b).sum().item<double>(); }

  std::shared_ptr<Encoding> encoding;
  AttentionInput input;
};

double scalar(const torch::Tensor& tensor) { return tensor.item<double>(); }

double log_sigmoid(double x) { return -std::log1p(std::exp(-x)); }

}  // namespace

TEST_CASE("relative is Shaw's equation 5 with distances clipped", "[encodings]") {
  Setup s("relative:clip=3");
  const torch::Tensor keys = s.weight("keys")[1];
  s.check([&](int64_t b, int64_t h, int64_t i, int64_t j) {
    const int64_t row = std::clamp<int64_t>(s.position(j) - s.position(i), -3, 3) + 3;
    return s.dot(s.input.q[b][h][i], keys[row]) / std::sqrt(double(kWidth));
  });
}

TEST_CASE("relative on values is Shaw's equation 3", "[encodings]") {
  Setup s("relative:clip=3,values=true");
  const torch::NoGradGuard no_grad;
  const torch::Tensor p = torch::softmax(torch::matmul(s.input.q, s.input.k.transpose(-1, -2)), -1);
  const torch::Tensor added = s.encoding->values(p, s.input.positions, 1);
  const torch::Tensor rows = s.weight("values")[1];
  for (int64_t i = 0; i < kLength; ++i) {
    torch::Tensor expected = torch::zeros({kWidth}, torch::kFloat64);
    for (int64_t j = 0; j < kLength; ++j)
      expected += p[1][0][i][j] * rows[std::clamp<int64_t>(s.position(j) - s.position(i), -3, 3) + 3];
    CHECK(greatest_difference(added[1][0][i], expected) < 1e-10);
  }
}

TEST_CASE("xl is Transformer-XL's score less the plain product", "[encodings]") {
  Setup s("xl");
  const torch::Tensor u = s.weight("u")[1], v = s.weight("v")[1], w = s.weight("w")[1];
  const int64_t d_model = kHeads * kWidth;
  s.check([&](int64_t b, int64_t h, int64_t i, int64_t j) {
    torch::Tensor r = torch::empty({d_model}, torch::kFloat64);
    for (int64_t c = 0; c < d_model; ++c) {
      const double angle =
          double(s.position(i) - s.position(j)) * std::pow(10000.0, -2.0 * double(c / 2) / double(d_model));
      r[c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
    const torch::Tensor row = torch::mv(w, r).slice(0, h * kWidth, (h + 1) * kWidth);
    return (s.dot(u[h][0], s.input.k[b][h][j]) + s.dot(s.input.q[b][h][i] + v[h][0], row)) / std::sqrt(double(kWidth));
  });
}

TEST_CASE("t5 has the buckets of the paper, two-sided and causal", "[encodings]") {
  // Distance to bucket by hand: exact while small, then logarithmic, the last shared by all beyond.
  const auto bucket = [](int64_t distance, bool causal) -> int64_t {
    const int64_t half = causal ? 32 : 16, exact = half / 2;
    int64_t offset = 0, reach = causal ? std::max<int64_t>(-distance, 0) : std::abs(distance);
    if (!causal && distance > 0) offset = 16;
    if (reach < exact) return offset + reach;
    const double share = std::log(double(reach) / double(exact)) / std::log(128.0 / double(exact));
    return offset + std::min<int64_t>(exact + int64_t(share * double(half - exact)), half - 1);
  };
  CHECK(bucket(-7, false) == 7);
  CHECK(bucket(8, false) == 24);
  CHECK(bucket(-1000, false) == 15);
  CHECK(bucket(-16, true) == 16);
  for (const bool causal : {false, true}) {
    Setup s("t5", causal, 3);
    s.check([&](int64_t, int64_t h, int64_t i,
                int64_t j) { return scalar(s.weight("table")[bucket(s.position(j) - s.position(i), causal)][h]); },
            causal);
  }
}

TEST_CASE("rope turns each pair by its position times its rate", "[encodings]") {
  for (const char* choice : {"rope", "rope:pairing=halves", "rope:base=500,scale=4", "rope:fraction=0.5"}) {
    const std::string text = choice;
    Setup s(text);
    const double base = text.find("base") != std::string::npos ? 500 : 10000;
    const double scale = text.find("scale") != std::string::npos ? 4 : 1;
    const int64_t width = text.find("fraction") != std::string::npos ? kWidth / 2 : kWidth;
    const bool halves = text.find("halves") != std::string::npos;
    const auto [q, k] = s.encoding->rotate(s.input.q, s.input.k, s.input.positions, 0);
    double greatest = 0;
    for (int64_t i = 0; i < kLength; ++i) {
      const torch::Tensor before = s.input.q[1][0][i];
      torch::Tensor after = before.clone();
      for (int64_t pair = 0; pair < width / 2; ++pair) {
        const double angle = double(s.position(i)) / scale * std::pow(base, -2.0 * double(pair) / double(width));
        const int64_t a = halves ? pair : 2 * pair, b = halves ? pair + width / 2 : 2 * pair + 1;
        after[a] = before[a] * std::cos(angle) - before[b] * std::sin(angle);
        after[b] = before[a] * std::sin(angle) + before[b] * std::cos(angle);
      }
      greatest = std::max(greatest, greatest_difference(q[1][0][i], after));
    }
    CHECK(greatest < 1e-10);
  }
}

TEST_CASE("alibi has the paper's slopes, and its interleaving where heads are no power of two", "[encodings]") {
  // 8 heads: 1/2, 1/4, ... as printed in the paper; 12 heads: those of 8, then the odd ones of 16.
  const std::vector<std::pair<int64_t, std::vector<double>>> known = {
      {8, {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625}},
      {2, {0.0625, 0.00390625}},
      {3, {0.0625, 0.00390625, 0.25}},
      {6, {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}},
      {12,
       {0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, std::exp2(-0.5), std::exp2(-1.5),
        std::exp2(-2.5), std::exp2(-3.5)}}};
  for (const auto& [heads, slopes] : known) {
    Setup s("alibi", false, heads);
    s.check([&, slope = slopes](int64_t, int64_t h, int64_t i, int64_t j) {
      return -slope[static_cast<std::size_t>(h)] * std::abs(double(s.position(j) - s.position(i)));
    });
  }
  Setup split("alibi:mode=split", false, 4);
  const double inf = std::numeric_limits<double>::infinity();
  split.check([&](int64_t, int64_t h, int64_t i, int64_t j) {
    if (h < 2 ? j > i : j < i) return -inf;
    return -std::exp2(-4.0 * double(h % 2 + 1)) * std::abs(double(split.position(j) - split.position(i)));
  });
}

TEST_CASE("kerple is its logarithm or its power of the distance", "[encodings]") {
  for (const bool power : {false, true}) {
    Setup s(power ? "kerple:kind=power" : "kerple");
    s.check([&](int64_t, int64_t h, int64_t i, int64_t j) {
      const double a = scalar(s.weight("raw1")[1][h]), b = scalar(s.weight("raw2")[1][h]);
      const double r1 = std::log1p(std::exp(a)), distance = std::abs(double(s.position(j) - s.position(i)));
      if (power) return distance == 0 ? 0.0 : -r1 * std::pow(distance, 2 / (1 + std::exp(-b)));
      return -r1 * std::log1p(std::log1p(std::exp(b)) * distance);
    });
  }
}

TEST_CASE("fire is its network of the distance's share of the extent", "[encodings]") {
  for (const bool causal : {false, true}) {
    Setup s("fire", causal);
    {
      const torch::NoGradGuard no_grad;
      s.weight("multiplier").fill_(5.0 / 512);  // so that both sides of the maximum occur
    }
    const auto psi = [](double x) { return std::log1p(0.1 * x); };
    s.check(
        [&](int64_t, int64_t h, int64_t i, int64_t j) {
          const double extent = double(s.position(causal ? i : kLength - 1) - s.position(0));
          const double share = psi(std::abs(double(s.position(j) - s.position(i)))) / psi(std::max(5.0, extent));
          const torch::Tensor hidden =
              torch::relu(s.weight("hidden.weight").select(1, 0) * share + s.weight("hidden.bias"));
          return s.dot(s.weight("output.weight")[h], hidden) + scalar(s.weight("output.bias")[h]);
        },
        causal);
  }
}

TEST_CASE("cope counts gates back from the query and interpolates its table", "[encodings]") {
  Setup s("cope:max-position=3", true);
  const torch::Tensor table = s.weight("table")[1];
  s.check(
      [&](int64_t b, int64_t h, int64_t i, int64_t j) {
        double position = 0;
        for (int64_t t = j; t <= i; ++t)
          position += 1 / (1 + std::exp(-s.dot(s.input.q[b][h][i], s.input.k[b][h][t]) / std::sqrt(double(kWidth))));
        position = std::min(position, 3.0);
        const int64_t below = int64_t(std::floor(position)), above = int64_t(std::ceil(position));
        const double share = position - double(below);
        return (1 - share) * s.dot(s.input.q[b][h][i], table[below]) + share * s.dot(s.input.q[b][h][i], table[above]);
      },
      true);
}

TEST_CASE("fox sums the logarithms of its gates between the two tokens", "[encodings]") {
  for (const bool causal : {false, true}) {
    Setup s("fox", causal);
    const torch::Tensor w = s.weight("gate1.weight"), bias = s.weight("gate1.bias");
    const auto gate = [&](int64_t b, int64_t row, int64_t t) {
      return log_sigmoid(s.dot(w[row], s.input.x[b][t]) + scalar(bias[row]));
    };
    s.check(
        [&](int64_t b, int64_t h, int64_t i, int64_t j) {
          double sum = 0;
          for (int64_t t = j + 1; t <= i; ++t) sum += gate(b, h, t);
          for (int64_t t = i; t < j; ++t) sum += gate(b, kHeads + h, t);
          return sum;
        },
        causal);
  }
}

TEST_CASE("the gradient of every encoding's weights is that of finite differences", "[encodings]") {
  for (const EncodingEntry& entry : catalog().encodings) {
    INFO(entry.name);
    Setup s(entry.name, entry.causal_only);
    if (s.encoding->parameters().empty()) continue;
    const auto loss = [&] {
      torch::Tensor sum = s.encoding->embed(s.input.x, s.input.positions).pow(2).sum();
      for (const int64_t layer : {0, 1}) {
        s.input.layer = layer;
        const torch::Tensor bias = s.encoding->bias(s.input);
        if (bias.defined()) sum = sum + bias.sin().sum();
      }
      return sum;
    };
    loss().backward();
    const torch::NoGradGuard no_grad;
    constexpr double kStep = 1e-6;
    for (const auto& named : s.encoding->named_parameters()) {
      INFO(named.key());
      REQUIRE(named.value().grad().defined());
      const torch::Tensor flat = named.value().view({-1}), grad = named.value().grad().reshape({-1});
      for (int64_t i = 0; i < flat.numel(); i += std::max<int64_t>(1, flat.numel() / 23)) {
        const double at = scalar(flat[i]);
        flat[i] = at + kStep;
        const double above = scalar(loss());
        flat[i] = at - kStep;
        const double below = scalar(loss());
        flat[i] = at;
        CHECK(scalar(grad[i]) == Approx((above - below) / (2 * kStep)).margin(1e-4).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("models keep what their encoding's entry says of them", "[encodings]") {
  auto tokens_source = at::detail::createCPUGenerator(3);
  const torch::Tensor tokens = torch::randint(0, 9, {5, 12}, tokens_source, torch::kInt64);
  const torch::Tensor positions = torch::arange(12);
  for (const EncodingEntry& entry : catalog().encodings) {
    INFO(entry.name);
    const auto build = [&](bool causal) {
      auto model = std::make_shared<TinyTransformer>(ModelSizes{.vocab = 9,
                                                                .d_model = 8,
                                                                .heads = 2,
                                                                .layers = 2,
                                                                .ffn = 16,
                                                                .classes = 3,
                                                                .causal = causal,
                                                                .pool = causal ? Pool::first : Pool::mean},
                                                     make_position_scheme(entry.name, sizes(causal)));
      auto generator = at::detail::createCPUGenerator(4);
      model->reset_parameters(generator, generator);
      const torch::NoGradGuard no_grad;
      for (auto& parameter : model->named_parameters())
        if (parameter.key().starts_with("pos_enc.") && parameter.value().abs().max().item<double>() == 0)
          parameter.value().uniform_(-1, 1, generator);
      return model;
    };
    const torch::NoGradGuard no_grad;
    const auto causal = build(true);
    // The first token's output, which is pooled, must not see the others.
    torch::Tensor changed = tokens.clone();
    changed.slice(1, 1).copy_(8 - changed.slice(1, 1));
    CHECK(greatest_difference(causal->forward(tokens, positions, Dropout()),
                              causal->forward(changed, positions, Dropout())) < 1e-6);
    if (entry.causal_only) continue;

    const auto model = build(false);
    const torch::Tensor logits = model->forward(tokens, positions, Dropout());
    const double shifted = greatest_difference(logits, model->forward(tokens, positions + 20, Dropout()));
    CHECK((shifted < 1e-4) == entry.relative);
    const double reversed = greatest_difference(logits, model->forward(tokens.flip(1), positions, Dropout()));
    const Symmetry symmetry = symmetry_of(read_encoding_choice(entry.name, catalog(), "--pos"));
    CHECK((reversed < 1e-4) == (symmetry != Symmetry::none));
    const torch::Tensor shuffled = tokens.index_select(
        1, torch::tensor({int64_t{3}, int64_t{0}, int64_t{7}, int64_t{1}, int64_t{11}, int64_t{2}, int64_t{4},
                          int64_t{10}, int64_t{5}, int64_t{9}, int64_t{6}, int64_t{8}}));
    const double permuted = greatest_difference(logits, model->forward(shuffled, positions, Dropout()));
    CHECK((permuted < 1e-4) == (symmetry == Symmetry::permutation));
  }
}

TEST_CASE("a bias that depends on positions alone is said to, and no other", "[encodings]") {
  const torch::NoGradGuard no_grad;
  for (const EncodingEntry& entry : catalog().encodings) {
    INFO(entry.name);
    Setup s(entry.name, entry.causal_only);
    const torch::Tensor before = s.encoding->bias(s.input);
    s.input.x = s.input.x * 2 + 1;
    s.input.q = s.input.q * 2 + 1;
    s.input.k = s.input.k * 2 + 1;
    const torch::Tensor after = s.encoding->bias(s.input);
    if (!before.defined()) continue;
    CHECK(torch::equal(before, after) == (s.encoding->reads() == Encoding::Reads::positions));
  }
}

TEST_CASE("fire's bias of a long sequence is the same in parts, without gradients", "[encodings]") {
  for (const bool causal : {false, true}) {
    Setup s("fire", causal);
    s.input.positions = torch::arange(600);
    const torch::Tensor whole = s.encoding->bias(s.input).detach();
    const torch::NoGradGuard no_grad;
    CHECK(greatest_difference(s.encoding->bias(s.input), whole) < 1e-12);
  }
}
