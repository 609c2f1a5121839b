// Models on the fused kernels against the same models on LibTorch's operators in double precision.
#include <ATen/CPUGeneratorImpl.h>

#include "model/tiny_transformer.h"
#include "nn/fused_lookup.h"
#include "support/torch_catch.h"

using namespace posenc;

namespace {

struct Shape {
  int64_t batch, length, d_model, heads, ffn, layers = 1;
};

std::shared_ptr<TinyTransformer> build(const std::string& pos, const Shape& s, bool causal, Pool pool) {
  auto model = std::make_shared<TinyTransformer>(
      ModelSizes{.vocab = 9,
                 .d_model = s.d_model,
                 .heads = s.heads,
                 .layers = s.layers,
                 .ffn = s.ffn,
                 .classes = 3,
                 .causal = causal,
                 .pool = pool},
      make_position_scheme(
          pos, {.d_model = s.d_model, .heads = s.heads, .layers = s.layers, .max_len = 300, .causal = causal}));
  auto generator = at::detail::createCPUGenerator(4);
  model->reset_parameters(generator, generator);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->named_parameters())
    if (parameter.value().abs().max().item<double>() == 0 || parameter.key().find("norm") != std::string::npos)
      parameter.value().add_(torch::randn(parameter.value().sizes(), generator), 0.3);
  return model;
}

// Loss and gradients of fused floats against operators in double, both from the same generator state.
void check(const std::string& pos, const Shape& s, bool causal, double dropout, Pool pool = Pool::mean) {
  INFO(pos << ", batch " << s.batch << ", length " << s.length << ", width " << s.d_model << ", heads " << s.heads
           << ", causal " << causal << ", dropout " << dropout);
  auto data = at::detail::createCPUGenerator(8);
  const torch::Tensor tokens = torch::randint(0, 9, {s.batch, s.length}, data, torch::kInt64);
  const torch::Tensor labels = torch::randint(0, 3, {s.batch}, data, torch::kInt64),
                      positions = torch::arange(s.length);
  const auto fused = build(pos, s, causal, pool), exact = build(pos, s, causal, pool);
  exact->to(torch::kFloat64);
  fused->use_kernels();
  auto ours = at::detail::createCPUGenerator(3), theirs = at::detail::createCPUGenerator(3);
  const torch::Tensor a = fused->loss(tokens, labels, positions, Dropout(dropout, ours));
  const torch::Tensor b = exact->loss(tokens, labels, positions, Dropout(dropout, theirs));
  CHECK(torch::equal(ours.get_state(), theirs.get_state()));
  CHECK(a.item<double>() == Approx(b.item<double>()).epsilon(1e-5));
  a.backward();
  b.backward();
  const auto expected = exact->named_parameters();
  for (const auto& parameter : fused->named_parameters()) {
    INFO(parameter.key());
    const torch::Tensor wanted = expected[parameter.key()].grad();
    REQUIRE(parameter.value().grad().defined() == wanted.defined());
    if (!wanted.defined()) continue;
    // Relative to the tensor's greatest gradient; a key's bias has none but rounding, since softmax ignores it.
    const double size = std::max(wanted.abs().max().item<double>(), 1e-3);
    CHECK(greatest_difference(parameter.value().grad(), wanted) <
          1e-5 * std::max(1.0, static_cast<double>(s.layers)) * size + 1e-7);
  }
  const torch::InferenceMode inference;
  CHECK(greatest_difference(fused->forward(tokens, positions, Dropout()),
                            exact->forward(tokens, positions, Dropout())) < 2e-5);
}

const std::vector<std::string> kChoices = {"none",
                                           "learnable",
                                           "fixed",
                                           "relative",
                                           "relative:clip=3,values=true",
                                           "xl",
                                           "t5",
                                           "rope",
                                           "rope:pairing=halves,fraction=0.5",
                                           "alibi",
                                           "kerple",
                                           "kerple:kind=power",
                                           "fire",
                                           "cope",
                                           "fox",
                                           "rope+logn",
                                           "t5+logn"};

}  // namespace

TEST_CASE("bulk masks are torch's own here", "[model]") { CHECK(bulk_masks_equal_torch()); }

TEST_CASE("every encoding's gradients on the kernels are those of the operators in double precision", "[model]") {
  for (const std::string& pos : kChoices)
    for (const bool causal : {false, true})
      for (const double dropout : {0.0, 0.3}) {
        if (pos == "cope" && !causal) continue;
        check(pos, {.batch = 5, .length = 7, .d_model = 24, .heads = 3, .ffn = 17, .layers = 2}, causal, dropout);
      }
}

TEST_CASE("so they are at odd sizes", "[model]") {
  for (const char* pos : {"none", "t5", "rope", "relative", "fox"})
    for (const double dropout : {0.0, 0.1}) {
      const bool even = std::string(pos) == "rope";
      check(pos, {1, 1, 20, even ? 2 : 4, 8}, false, dropout);
      check(pos, {63, 7, 20, even ? 5 : 4, 33}, false, dropout);
      check(pos, {3, 17, 36, even ? 3 : 4, 5}, true, dropout);
      check(pos, {2, 65, 130, 5, 70}, false, dropout);
      check(pos, {1, 150, 16, 2, 16}, true, dropout);
      check(pos, {64, 16, 32, 4, 64}, false, dropout);
    }
}

TEST_CASE("so they are under every pooling", "[model]") {
  for (const Pool pool : {Pool::first, Pool::last, Pool::max}) check("fixed", {6, 9, 20, 2, 13}, false, 0.2, pool);
}

TEST_CASE("so they are for an encoding that promises nothing", "[model]") {
  class Own : public Encoding {
   public:
    Own() : weight_(register_parameter("weight", torch::ones({1}))) {}
    torch::Tensor embed(const torch::Tensor& x, const torch::Tensor& positions) override {
      return x + weight_ * positions.to(x.options()).unsqueeze(1) * 0.1;
    }
    torch::Tensor bias(const AttentionInput& input) override {
      return torch::matmul(input.q, input.x.new_ones({input.q.size(3), input.q.size(2)})) * weight_;
    }
    torch::Tensor values(const torch::Tensor& p, const torch::Tensor&, int64_t) override {
      return (p * weight_).sum(-1, true).expand({-1, -1, -1, 4});
    }

   private:
    torch::Tensor weight_;
  };
  const auto build = [&] {
    auto model = std::make_shared<TinyTransformer>(
        ModelSizes{.vocab = 9, .d_model = 8, .heads = 2, .layers = 2, .ffn = 6, .classes = 3},
        PositionScheme{.encoding = std::make_shared<Own>()});
    auto generator = at::detail::createCPUGenerator(4);
    model->reset_parameters(generator, generator);
    return model;
  };
  const auto fused = build(), plain = build();
  fused->use_kernels();
  const torch::Tensor tokens = torch::arange(20).remainder(9).view({4, 5}),
                      labels = torch::tensor({0, 1, 2, 0}).to(torch::kInt64);
  auto ours = at::detail::createCPUGenerator(3), theirs = at::detail::createCPUGenerator(3);
  const torch::Tensor a = fused->loss(tokens, labels, torch::arange(5), Dropout(0.1, ours));
  const torch::Tensor b = plain->loss(tokens, labels, torch::arange(5), Dropout(0.1, theirs));
  CHECK(a.item<double>() == Approx(b.item<double>()).epsilon(1e-5));
  a.backward();
  b.backward();
  for (const auto& parameter : plain->named_parameters())
    CHECK(greatest_difference(parameter.value().grad(), fused->named_parameters()[parameter.key()].grad()) < 1e-5);
}

TEST_CASE("a weight that is NaN shows on the kernels wherever it shows on the operators", "[model]") {
  const Shape s{.batch = 3, .length = 5, .d_model = 12, .heads = 2, .ffn = 7};
  const torch::Tensor tokens = torch::arange(15).remainder(9).view({3, 5}), labels = torch::tensor({0, 1, 2});
  const torch::InferenceMode inference;
  for (const std::string& pos : kChoices)
    for (const Pool pool : {Pool::mean, Pool::last, Pool::max}) {
      const auto fused = build(pos, s, true, pool), plain = build(pos, s, true, pool);
      fused->use_kernels();
      const auto ours = fused->named_parameters(), theirs = plain->named_parameters();
      for (const auto& parameter : ours) {
        INFO(pos << ", pooling " << static_cast<int>(pool) << ", " << parameter.key());
        torch::Tensor a = parameter.value().flatten()[0], b = theirs[parameter.key()].flatten()[0];
        const torch::Tensor before = a.clone();
        for (torch::Tensor x : {a, b}) x.fill_(NAN);
        const torch::Tensor by_kernels = fused->forward(tokens, torch::arange(5), Dropout());
        const torch::Tensor by_operators = plain->forward(tokens, torch::arange(5), Dropout());
        CHECK(torch::equal(by_kernels.isnan(), by_operators.isnan()));
        CHECK(fused->loss(tokens, labels, torch::arange(5), Dropout())
                  .isnan()
                  .equal(plain->loss(tokens, labels, torch::arange(5), Dropout()).isnan()));
        for (torch::Tensor x : {a, b}) x.copy_(before);
      }
    }
}

TEST_CASE("interpolation at a place that is NaN, infinite or outside is NaN by kernel and by operators", "[model]") {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const torch::Tensor scores = torch::arange(4, type).view({1, 1, 1, 4});
    const std::vector<double> numbers = {0, NAN, INFINITY, -INFINITY, 1e30, -1, 3.5, 2.5, 3};
    const torch::Tensor places = torch::tensor(numbers, type);
    const torch::Tensor out = interpolate(scores, places.view({1, 1, 1, 9})).flatten();
    CHECK(torch::equal(out.isnan(), torch::tensor({0, 1, 1, 1, 1, 1, 1, 0, 0}).to(torch::kBool)));
    CHECK(out[0].item<double>() == 0);
    CHECK(out[7].item<double>() == 2.5);
    CHECK(out[8].item<double>() == 3);
  }
}

TEST_CASE("second derivatives of the kernels are refused rather than wrong", "[model]") {
  const auto model = build("none", {.batch = 2, .length = 3, .d_model = 8, .heads = 2, .ffn = 8}, false, Pool::mean);
  model->use_kernels();
  const torch::Tensor tokens = torch::zeros({2, 3}, torch::kInt64), labels = torch::zeros({2}, torch::kInt64);
  const torch::Tensor loss = model->loss(tokens, labels, torch::arange(3), Dropout());
  CHECK_THROWS_WITH(loss.backward({}, /*retain_graph=*/true, /*create_graph=*/true),
                    ContainsSubstring("first derivatives only"));
}
