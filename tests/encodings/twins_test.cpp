// Whole models with each encoding against their twins in plain PyTorch (scripts/golden/models.py, tests/golden).
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "checkpoint/checkpoint.h"
#include "config/choice.h"
#include "model/tiny_transformer.h"
#include "support/torch_catch.h"

using namespace posenc;
using nlohmann::json;

namespace {

const std::filesystem::path kGolden = std::string(POSENC_SOURCE_DIR) + "/tests/golden";

std::vector<std::filesystem::path> twins() {
  std::vector<std::filesystem::path> all;
  for (const auto& file : std::filesystem::directory_iterator(kGolden))
    if (file.path().filename().string().starts_with("model-") && file.path().extension() == ".json")
      all.push_back(file.path());
  return all;
}

}  // namespace

TEST_CASE("every encoding's model has the logits of its twin in PyTorch", "[encodings]") {
  std::set<std::string> met;
  for (std::filesystem::path path : twins()) {
    INFO(path.filename().string());
    const json twin = json::parse(std::ifstream(path));
    const EncodingSizes sizes{.d_model = twin["d-model"],
                              .heads = twin["heads"],
                              .layers = twin["layers"],
                              .max_len = twin["max-len"],
                              .causal = twin["causal"]};
    const std::string pos = twin["pos"];
    TinyTransformer model({.vocab = twin["vocab"],
                           .d_model = sizes.d_model,
                           .heads = sizes.heads,
                           .layers = sizes.layers,
                           .ffn = twin["ffn"],
                           .classes = 2,
                           .causal = sizes.causal,
                           .pool = pool_named(twin["pool"])},
                          make_position_scheme(pos, sizes));
    load_checkpoint(path.replace_extension(".pt").string(), model);
    const torch::NoGradGuard no_grad;
    const auto rows = twin["tokens"].get<std::vector<std::vector<int64_t>>>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto length = static_cast<int64_t>(rows[i].size());
      const torch::Tensor logits = model.forward(torch::tensor(rows[i]).unsqueeze(0), torch::arange(length), Dropout());
      const auto expected = twin["logits"][i].get<std::vector<double>>();
      CHECK(greatest_difference(logits[0], torch::tensor(expected, torch::kFloat64)) < 1e-5);
    }
    met.insert(split_choice(pos.substr(0, pos.find('+')), "pos").name);
  }
  for (const EncodingEntry& entry : catalog().encodings)
    if (!met.contains(entry.name))
      FAIL_CHECK("tests/golden has no twin of " << entry.name
                                                << ": write one in scripts/golden/models.py, and run "
                                                   "python3 scripts/make_golden.py models "
                                                << entry.name);
}
