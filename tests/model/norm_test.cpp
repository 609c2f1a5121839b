// Where a layer normalises, and by how much, against torch.nn.TransformerEncoderLayer (scripts/golden/norms.py).
#include <ATen/CPUGeneratorImpl.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint.h"
#include "model/tiny_transformer.h"
#include "posenc/run.h"
#include "support/command_line.h"
#include "support/torch_catch.h"

using namespace posenc;
using nlohmann::json;
using torch::Tensor;

namespace {

const std::string kGolden = std::string(POSENC_SOURCE_DIR) + "/tests/golden/";

template <typename Number>
Tensor matrix(const json& rows) {
  std::vector<Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(torch::tensor(row.get<std::vector<Number>>()));
  return torch::stack(tensors);
}

void compare(const std::string& name, bool by_kernels) {
  INFO(name << ", kernels " << by_kernels);
  const json golden = json::parse(std::ifstream(kGolden + name + ".json"));
  const Tensor tokens = matrix<int64_t>(golden["tokens"]),
               labels = torch::tensor(golden["labels"].get<std::vector<int64_t>>()),
               positions = torch::arange(tokens.size(1));
  const EncodingSizes sizes{
      .d_model = golden["d-model"], .heads = golden["heads"], .layers = golden["layers"], .max_len = tokens.size(1)};
  TinyTransformer model({.vocab = golden["vocab"],
                         .d_model = sizes.d_model,
                         .heads = sizes.heads,
                         .layers = sizes.layers,
                         .ffn = golden["ffn"],
                         .classes = golden["classes"],
                         .norm = norm_named(golden["norm"]),
                         .norm_eps = golden["norm-eps"]},
                        make_position_scheme("learnable", sizes));
  load_checkpoint(kGolden + name + ".pt", model);
  if (by_kernels) model.use_kernels();
  {
    const torch::InferenceMode inference;
    CHECK(greatest_difference(model.forward(tokens, positions, Dropout()), matrix<float>(golden["logits"])) < 1e-5);
  }
  const Dropout dropout(golden["dropout"], at::detail::createCPUGenerator(golden["mask-seed"].get<uint64_t>()));
  const Tensor loss = model.loss(tokens, labels, positions, dropout);
  CHECK(loss.item<double>() == Approx(golden["loss"].get<double>()).margin(1e-5));
  loss.backward();
  const auto parameters = model.named_parameters();
  const auto gradients = read_checkpoint(kGolden + name + "-gradients.pt");
  CHECK(gradients.size() == parameters.size());
  for (const auto& [key, gradient] : gradients) {
    INFO(key);
    CHECK(greatest_difference(parameters[key].grad(), gradient) < 1e-5);
  }
}

}  // namespace

TEST_CASE("pre-norm layers have the logits, loss and gradients of torch's norm_first, with its dropout masks",
          "[model]") {
  for (const char* name : {"norm-pre", "norm-pre-eps"})
    for (const bool by_kernels : {false, true}) compare(name, by_kernels);  // which leave the layers to operators
}

TEST_CASE("another epsilon is torch's layer_norm_eps, in operators and in the kernels", "[model]") {
  for (const bool by_kernels : {false, true}) compare("norm-post-eps", by_kernels);
}

TEST_CASE("pre-norm is computed by operators, and says so", "[model]") {
  RunConfig config;
  config.norm = "pre";
  CHECK_FALSE(uses_kernels(config));
  CHECK(engine_name(config) == "reference (pre-norm)");
  config.engine = "reference";
  CHECK(engine_name(config) == "reference");
  config.norm = "post";
  config.norm_eps = 0.1;
  config.engine = "auto";
  CHECK(uses_kernels(config));
  const Outcome outcome = posenc_command("-v --norm pre --epochs 1 --train-size 20 --val-size 20");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.talk, ContainsSubstring("engine: reference (pre-norm)"));
  CHECK_THAT(posenc_command("-v --norm-eps 0.1 --epochs 1 --train-size 20 --val-size 20").talk,
             ContainsSubstring("engine: fused"));
}

TEST_CASE("a norm that cannot be is one line and exit 2", "[model]") {
  refused("--norm pre --engine fused",
          "--engine computes post-norm layers alone (given fused with --norm pre, allowed: auto, reference)");
  refused("--norm-eps 0", "--norm-eps is out of range (given '0', allowed: number in (0, 1])");
  refused("--norm mid", "--norm is unknown (given 'mid', allowed: post, pre");
}
