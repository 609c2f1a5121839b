// The published protocol against PyTorch's own numbers (scripts/reference.py, tests/golden).
#include "support/golden.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/instruction_set.h"
#include "posenc/run.h"
#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;
using nlohmann::json;

namespace {

json golden(const std::string& name) {
  return json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/golden-" + name + ".json"));
}

constexpr const char* kPublished[] = {"learnable-42", "fixed-42", "fixed-7-two-layers"};
constexpr const char* kOthers[] = {"learnable-5-two-layers", "fixed-3-wide", "learnable-0-short",
                                   "learnable-1-no-dropout", "fixed-11-long"};

void check_start(const std::string& name) {
  const json expected = golden(name);
  Trainer trainer(published_configuration(expected["args"]));
  const auto sum = [](const torch::Tensor& tensor) { return tensor.sum().item<int64_t>(); };
  const Dataset &train = trainer.training_set(), &val = trainer.validation_set();
  CHECK(expected["data"] == json({sum(train.tokens), sum(train.labels), sum(val.tokens), sum(val.labels)}));

  std::size_t tensors = 0;
  const auto check_checksum = [&](const auto& named) {
    INFO(named.key());
    REQUIRE(expected["start"].contains(named.key()));
    const double total = expected["start"][named.key()][0], absolute = expected["start"][named.key()][1];
    const torch::Tensor values = named.value().to(torch::kFloat64);
    CHECK(values.sum().template item<double>() == Approx(total).margin(1e-5 * absolute));
    CHECK(values.abs().sum().template item<double>() == Approx(absolute).epsilon(1e-5));
    ++tensors;
  };
  for (const auto& parameter : trainer.model().named_parameters()) check_checksum(parameter);
  for (const auto& buffer : trainer.model().named_buffers()) check_checksum(buffer);
  CHECK(tensors == expected["start"].size());
}

}  // namespace

TEST_CASE("weights and data start as PyTorch's do", "[training]") {
  for (const char* name : kPublished) check_start(name);
  for (const char* name : kOthers) check_start(name);
}

TEST_CASE("the losses of the first five epochs are PyTorch's to 1e-5", "[training]") {
  for (const char* engine : {"fused", "reference"})
    for (const char* name : kOthers) {
      INFO(name << " by " << engine);
      const json expected = golden(name);
      RunConfig config = published_configuration(expected["args"]);
      config.engine = engine;
      const RunResult result = run(config);
      CHECK_THAT(result.engine, StartsWith(engine));
      REQUIRE(result.epochs.size() == 5);
      for (int i = 0; i < 5; ++i)
        CHECK(result.epochs[i].train_loss == Approx(expected["losses"][i].get<double>()).margin(1e-5));
    }
}

namespace {

void check_rows(const char* name, const char* engine, kernels::InstructionSet set) {
  kernels::use_instruction_set(set);
  INFO(name << " by " << engine << ", " << kernels::instruction_set_name());
  const json expected = golden(name);
  RunConfig config = published_configuration(expected["args"]);
  config.engine = engine;
  const RunResult result = run(config);
  REQUIRE(result.epochs.size() == static_cast<std::size_t>(config.epochs));
  for (std::size_t i = 0; i < result.epochs.size(); ++i) {
    const double tolerance = i < 5 ? 1e-5 : i < 20 ? 5e-4 : 1e-3;
    INFO("epoch " << i + 1);
    CHECK(result.epochs[i].train_loss == Approx(expected["losses"][i].get<double>()).margin(tolerance));
  }
  for (const std::string row : expected["rows"]) {
    int epoch = 0;
    double loss = 0, accuracy = 0;
    REQUIRE(std::sscanf(row.c_str() + row.find(']'), "] Epoch %d | Train Loss: %lf | Val Acc: %lf", &epoch, &loss,
                        &accuracy) == 3);
    INFO(row);
    CHECK(result.epochs.at(epoch - 1).train_loss == Approx(loss).margin(epoch <= 20 ? 5e-4 : 1e-3));
    CHECK(result.epochs.at(epoch - 1).val_acc == Approx(accuracy).margin(0.0125));
  }
}

}  // namespace

TEST_CASE("whole published runs print PyTorch's rows, whatever computes them", "[training]") {
  const auto sets = kernels::instruction_sets_here();
  for (const char* name : kPublished) {
    check_rows(name, "reference", sets.front());
    for (const kernels::InstructionSet set : sets) {
      if (set == kernels::InstructionSet::scalar || set == kernels::InstructionSet::sse4)
        continue;  // slow: layer_test has them
      check_rows(name, "fused", set);
    }
  }
  kernels::use_instruction_set(sets.front());
}
