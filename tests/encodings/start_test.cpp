// What the authors' code starts from, where a paper leaves it open, and what an earlier release started from.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint.h"
#include "config/identity.h"
#include "config/resolve.h"
#include "model/tiny_transformer.h"
#include "posenc/encoding.h"
#include "posenc/run.h"
#include "support/torch_catch.h"

using namespace posenc;
using nlohmann::json;

namespace {

// An encoding of many layers and heads as a seed starts it, so that a start has a distribution.
std::shared_ptr<Encoding> started(const std::string& choice) {
  const auto encoding = make_position_scheme(choice, {.d_model = 128, .heads = 64, .layers = 16}).encoding;
  auto generator = at::detail::createCPUGenerator(5);
  encoding->reset_parameters(generator);
  return encoding;
}

torch::Tensor weight(const Encoding& encoding, const std::string& name) {
  return encoding.named_parameters()[name].detach().to(torch::kFloat64);
}

double average(const torch::Tensor& numbers) { return numbers.mean().item<double>(); }

}  // namespace

TEST_CASE("kerple draws its coefficient and its exponent as the authors' code does", "[encodings]") {
  // 1,024 numbers: four standard errors of a mean of U(0, 1) are 0.036.
  for (const bool power : {false, true}) {
    const auto encoding = started(power ? "kerple:kind=power" : "kerple");
    const torch::Tensor r1 = weight(*encoding, "raw1").exp().log1p();
    const torch::Tensor raw2 = weight(*encoding, "raw2");
    const torch::Tensor r2 = power ? 2 * torch::sigmoid(raw2) : raw2.exp().log1p();
    const double most1 = power ? 1 : 2, most2 = power ? 2 : 1;
    INFO(power);
    CHECK(r1.max().item<double>() <= most1 + 1e-5);
    CHECK(r2.max().item<double>() <= most2 + 1e-5);
    CHECK(average(r1) == Approx(most1 / 2).margin(0.036 * most1 + 0.005));
    CHECK(average(r2) == Approx(most2 / 2).margin(0.036 * most2 + 0.005));
  }
}

TEST_CASE("fox starts its gates from N(0, 0.02^2) and its biases at 0", "[encodings]") {
  const auto encoding = started("fox");
  for (const char* layer : {"gate0", "gate15"}) {
    const torch::Tensor gate = weight(*encoding, std::string(layer) + ".weight");  // 128 x 128 numbers
    CHECK(gate.std().item<double>() == Approx(0.02).epsilon(0.03));
    CHECK(std::abs(average(gate)) < 4 * 0.02 / 128);
    CHECK(gate.abs().max().item<double>() > 0.05);  // no uniform of that deviation reaches 0.035
    CHECK(weight(*encoding, std::string(layer) + ".bias").abs().max().item<double>() == 0);
  }
}

TEST_CASE("fire's threshold starts at 512 and moves when it is trained", "[encodings]") {
  const auto encoding = make_position_scheme("fire", {.d_model = 8, .heads = 2}).encoding;
  auto generator = at::detail::createCPUGenerator(5);
  encoding->reset_parameters(generator);
  torch::Tensor multiplier = encoding->named_parameters()["multiplier"];
  CHECK(multiplier.item<double>() == 1);
  // Adam's first step is the learning rate whatever the gradient: a hundredth of 512, not of 1.
  const auto threshold = [&] { return 512 * multiplier.item<double>(); };
  torch::optim::Adam optimizer(encoding->parameters(), torch::optim::AdamOptions(1e-2));
  const torch::Tensor q = torch::zeros({1, 2, 6, 4});
  encoding->bias({torch::zeros({1, 6, 8}), q, q, torch::arange(6), 0}).square().sum().backward();
  optimizer.step();
  CHECK(std::abs(threshold() - 512) == Approx(5.12).epsilon(1e-3));
}

TEST_CASE("a fire model of an earlier release has the logits of its twin in PyTorch", "[encodings]") {
  for (const std::string name : {"former-fire", "former-fire-causal"}) {
    const std::string path = std::string(POSENC_SOURCE_DIR) + "/tests/golden/" + name;
    const json twin = json::parse(std::ifstream(path + ".json"));
    const EncodingSizes sizes{
        .d_model = twin["d-model"], .heads = twin["heads"], .layers = twin["layers"], .causal = twin["causal"]};
    TinyTransformer model({.vocab = twin["vocab"],
                           .d_model = sizes.d_model,
                           .heads = sizes.heads,
                           .layers = sizes.layers,
                           .ffn = twin["ffn"],
                           .classes = 2,
                           .causal = sizes.causal,
                           .pool = pool_named(twin["pool"])},
                          make_position_scheme(twin["pos"], sizes));
    load_checkpoint(path + ".pt", model);
    CHECK(model.named_parameters()["pos_enc.multiplier"].item<double>() == Approx(5.0 / 512));
    const torch::NoGradGuard no_grad;
    const auto tokens = twin["tokens"].get<std::vector<std::vector<int64_t>>>();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto length = static_cast<int64_t>(tokens[i].size());
      const torch::Tensor logits =
          model.forward(torch::tensor(tokens[i]).unsqueeze(0), torch::arange(length), Dropout());
      const auto expected = twin["logits"][i].get<std::vector<double>>();
      CHECK(greatest_difference(logits[0], torch::tensor(expected, torch::kFloat64)) < 1e-5);
    }
  }
}

TEST_CASE("what starts otherwise than in an earlier release has another run id, and nothing else has", "[encodings]") {
  const auto revisions = [](const std::string& pos, const std::string& causal = "false") {
    return resolve({{"pos", {pos, {}}}, {"causal", {causal, {}}}}, catalog()).config.revisions;
  };
  CHECK(revisions("fire") == "fire=2");
  CHECK(revisions("fire+logn") == "fire=2");
  CHECK(revisions("fox") == "fox=2");
  CHECK(revisions("kerple:kind=power") == "kerple=2");
  for (const EncodingEntry& entry : catalog().encodings)
    if (entry.name != "fire" && entry.name != "fox") {
      INFO(entry.name);
      CHECK(revisions(entry.name, entry.causal_only ? "true" : "false").empty());
    }
}
