// Each encoding against a closed form, and what every entry of the table must keep.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "model/tiny_transformer.h"
#include "posenc/encoding.h"
#include "posenc/error.h"
#include "support/torch_catch.h"

using namespace posenc;

namespace {

EncodingSizes sizes(int64_t d_model = 8, int64_t heads = 2, int64_t max_len = 12) {
  return {.d_model = d_model, .heads = heads, .layers = 2, .max_len = max_len};
}

at::Generator generator(uint64_t seed) { return at::detail::createCPUGenerator(seed); }

}  // namespace

TEST_CASE("fixed is the sine and cosine of the paper, for odd widths too", "[encodings]") {
  for (const int64_t d_model : {1, 2, 7, 32}) {
    const auto encoding = make_position_scheme("fixed", sizes(d_model, 1)).encoding;
    const torch::Tensor positions = torch::tensor({int64_t{0}, int64_t{1}, int64_t{5}, int64_t{11}, int64_t{500}});
    const torch::Tensor table = encoding->embed(torch::zeros({1, 5, d_model}), positions)[0];
    for (int64_t i = 0; i < 5; ++i) {
      for (int64_t c = 0; c < d_model; ++c) {
        const double angle = positions[i].item<double>() * std::pow(10000.0, -2.0 * (c / 2) / d_model);
        const double expected = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        CHECK(table[i][c].item<double>() == Approx(expected).margin(5e-5));
      }
    }
  }
}

TEST_CASE("fixed computes rows beyond its table as it does within", "[encodings]") {
  const auto small = make_position_scheme("fixed", sizes(8, 2, 4)).encoding,
             large = make_position_scheme("fixed", sizes(8, 2, 40)).encoding;
  const torch::Tensor x = torch::zeros({1, 40, 8});
  CHECK(torch::equal(small->embed(x, torch::arange(40)), large->embed(x, torch::arange(40))));
}

TEST_CASE("learnable adds the row of each position", "[encodings]") {
  const auto encoding = make_position_scheme("learnable", sizes()).encoding;
  auto source = generator(3);
  encoding->reset_parameters(source);
  const torch::Tensor table = encoding->named_parameters()["pe"];
  const torch::Tensor x = torch::ones({2, 3, 8});
  CHECK(torch::equal(encoding->embed(x, torch::arange(3)), x + table.slice(0, 0, 3)));
  CHECK(torch::equal(encoding->embed(x, torch::arange(4, 7)), x + table.slice(0, 4, 7)));
  const torch::Tensor scattered = torch::tensor({int64_t{1}, int64_t{4}, int64_t{11}});
  CHECK(torch::equal(encoding->embed(x, scattered), x + table.index_select(0, scattered)));
}

TEST_CASE("the deviation of learnable is its parameter, and zero draws nothing", "[encodings]") {
  const auto start = [](const std::string& choice, at::Generator& source) {
    const auto encoding = make_position_scheme(choice, sizes(64, 2, 512)).encoding;
    encoding->reset_parameters(source);
    return encoding->named_parameters()["pe"].clone();
  };
  auto source = generator(1);
  CHECK(start("learnable", source).std().item<double>() == Approx(0.1).epsilon(0.02));
  CHECK(start("learnable:std=2", source).std().item<double>() == Approx(2).epsilon(0.02));
  const torch::Tensor before = source.get_state();
  CHECK(start("learnable:std=0", source).abs().max().item<double>() == 0);
  CHECK(torch::equal(source.get_state(), before));
}

TEST_CASE("none adds nothing, turns nothing and has no bias", "[encodings]") {
  const auto encoding = make_position_scheme("none", sizes()).encoding;
  auto source = generator(1);
  const torch::Tensor x = torch::randn({2, 3, 8}, source), q = torch::randn({2, 2, 3, 4}, source),
                      positions = torch::arange(4, 7);
  CHECK(torch::equal(encoding->embed(x, positions), x));
  const auto [turned_q, turned_k] = encoding->rotate(q, 2 * q, positions, 0);
  CHECK(torch::equal(turned_q, q));
  CHECK(torch::equal(turned_k, 2 * q));
  CHECK_FALSE(encoding->bias({x, q, q, positions, 0}).defined());
  CHECK_FALSE(encoding->values(torch::softmax(torch::ones({2, 2, 3, 3}), -1), positions, 0).defined());
}

TEST_CASE("every encoding has a case that writes its equation out", "[encodings]") {
  std::string cases;
  for (const char* name : {"closed_forms_test.cpp", "encodings_test.cpp"}) {
    std::ostringstream text;
    text << std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/encodings/" + name).rdbuf();
    cases += text.str();
  }
  for (const EncodingEntry& entry : catalog().encodings)
    if (cases.find("\nTEST_CASE(\"" + entry.name + " ") == std::string::npos)
      FAIL_CHECK("tests/encodings/closed_forms_test.cpp has no case that begins with \""
                 << entry.name << "\" and writes its equation out");
}

TEST_CASE("a position beyond a trained table is an error that names the flag", "[encodings]") {
  for (const EncodingEntry& entry : catalog().encodings) {
    const auto encoding = make_position_scheme(entry.name, sizes()).encoding;
    const torch::Tensor x = torch::zeros({1, 13, 8});
    if (entry.bound_to_table) {
      CHECK_THROWS_WITH(encoding->embed(x, torch::arange(13)), ContainsSubstring("--max-len 12"));
    } else {
      CHECK_NOTHROW(encoding->embed(x, torch::arange(13)));
    }
  }
}

TEST_CASE("the table's names are unique and its entries complete", "[encodings]") {
  std::set<std::string> names;
  for (const EncodingEntry& entry : catalog().encodings) {
    CHECK(names.insert(entry.name).second);
    CHECK_FALSE(entry.formula.empty());
    CHECK_FALSE(entry.source.empty());
    for (const ParameterSpec& spec : entry.parameters)
      CHECK(parse_value(spec.type, to_text(spec.fallback), spec.key) == spec.fallback);
  }
}

TEST_CASE("every encoding counts its parameters, trains them all and is drawn from its generator alone",
          "[encodings]") {
  auto token_source = generator(2);
  const torch::Tensor tokens = torch::randint(0, 5, {2, 12}, token_source, torch::kInt64);
  for (const EncodingEntry& entry : catalog().encodings) {
    INFO(entry.name);
    bool draws = false;  // else all weights start from constants, as cope's from zero
    const auto build = [&](uint64_t seed) {
      EncodingSizes built_for = sizes();
      built_for.causal = entry.causal_only;
      auto model = std::make_shared<TinyTransformer>(
          ModelSizes{
              .vocab = 5, .d_model = 8, .heads = 2, .layers = 2, .ffn = 16, .classes = 3, .causal = entry.causal_only},
          make_position_scheme(entry.name, built_for));
      auto shared = generator(1), own = generator(seed);
      model->reset_parameters(shared, own);
      draws = !torch::equal(own.get_state(), generator(seed).get_state());
      return model;
    };
    torch::manual_seed(1);
    const auto model = build(7);
    torch::manual_seed(2);
    const auto same = build(7), other = build(8);

    double count = 0, difference = 0;
    for (const auto& parameter : model->named_parameters()) {
      CHECK(torch::equal(parameter.value(), same->named_parameters()[parameter.key()]));
      if (!parameter.key().starts_with("pos_enc.")) continue;
      count += static_cast<double>(parameter.value().numel());
      difference += greatest_difference(parameter.value(), other->named_parameters()[parameter.key()]);
    }
    Parameters defaults;
    for (const ParameterSpec& spec : entry.parameters) defaults.set(spec.key, spec.fallback);
    CHECK(entry.parameter_count(sizes(), defaults) == count);
    CHECK(draws == (difference > 0));
    CHECK((count > 0) == (entry.weights != EncodingWeights::none));

    const torch::Tensor logits = model->forward(tokens, torch::arange(12), Dropout());
    CHECK(logits.sizes() == torch::IntArrayRef({2, 3}));
    logits.square().sum().backward();
    for (const auto& parameter : model->named_parameters()) {
      INFO(parameter.key());
      REQUIRE(parameter.value().grad().defined());
      CHECK(parameter.value().grad().abs().sum().item<double>() > 0);
    }
  }
}

TEST_CASE("an unknown encoding names the nearest", "[encodings]") {
  CHECK_THROWS_WITH(make_position_scheme("lernable", sizes()).encoding, ContainsSubstring("nearest: learnable"));
  CHECK_THROWS_WITH(make_position_scheme("learnable:std=-1", sizes()),
                    ContainsSubstring("allowed: number in [0, 100]"));
}
