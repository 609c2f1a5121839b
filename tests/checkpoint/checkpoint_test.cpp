#include "checkpoint/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "checkpoint/hand_made.h"
#include "checkpoint/state_dict.h"
#include "model/tiny_transformer.h"
#include "posenc/encoding.h"
#include "posenc/error.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

using namespace posenc;
using nlohmann::json;

namespace {

// The sizes of tests/golden/checkpoint-*.pt; weights from `seed`.
std::shared_ptr<TinyTransformer> model(const std::string& pos, uint64_t seed = 1, int64_t layers = 2,
                                       int64_t vocab = 5) {
  const auto made = std::make_shared<TinyTransformer>(
      ModelSizes{.vocab = vocab, .d_model = 4, .heads = 2, .layers = layers, .ffn = 6, .classes = 2},
      make_position_scheme(pos, {.d_model = 4, .heads = 2, .layers = layers, .max_len = 6}));
  at::Generator generator = at::detail::createCPUGenerator(seed);
  made->reset_parameters(generator, generator);
  return made;
}

std::string golden_path(const std::string& name) {
  return std::string(POSENC_SOURCE_DIR) + "/tests/golden/checkpoint-" + name;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One tensor with every value of the model, in the order of its names.
torch::Tensor values(const torch::nn::Module& module) {
  std::vector<torch::Tensor> flat;
  for (const NamedTensor& named : state_dict(module)) flat.push_back(named.tensor.detach().flatten());
  return torch::cat(flat);
}

std::string refusal(const std::string& path, torch::nn::Module& module) {
  const torch::Tensor before = values(module);
  try {
    load_checkpoint(path, module);
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::usage);
    CHECK(torch::equal(values(module), before));
    const std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    CHECK_THAT(message, StartsWith(path + ": "));
    return message.substr(std::min(message.size(), path.size() + 2));
  }
  return "";
}

}  // namespace

TEST_CASE("a saved model loads into another of its kind", "[checkpoint]") {
  const TemporaryFolder folder;
  for (const std::string pos : {"learnable", "fixed"}) {
    const auto saved = model(pos), loaded = model(pos, 2);
    REQUIRE_FALSE(torch::equal(values(*saved), values(*loaded)));
    save_checkpoint(folder.path("model.pt"), *saved);
    load_checkpoint(folder.path("model.pt"), *loaded);
    CHECK(torch::equal(values(*saved), values(*loaded)));
    for (const auto& parameter : loaded->parameters()) CHECK(parameter.requires_grad());

    const auto all = read_checkpoint(folder.path("model.pt"));
    const auto names = state_dict(*saved);
    REQUIRE(all.size() == names.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].first == names[i].name);
      CHECK(torch::equal(all[i].second, names[i].tensor));
    }
    const std::string first = file_bytes(folder.path("model.pt"));
    save_checkpoint(folder.path("again.pt"), *loaded);
    CHECK(file_bytes(folder.path("again.pt")) == first);
  }
}

TEST_CASE("checkpoints that Python saved have Python's values", "[checkpoint]") {
  for (const std::string name : {"learnable", "fixed"}) {
    INFO(name);
    const json expected = json::parse(std::ifstream(golden_path(name + ".json")));
    const auto loaded = model(name);
    load_checkpoint(golden_path(name + ".pt"), *loaded);
    const auto own = state_dict(*loaded);
    REQUIRE(own.size() == expected["tensors"].size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      INFO(own[i].name);
      CHECK(expected["tensors"][i]["name"] == own[i].name);  // the order of PyTorch's state_dict
      const std::vector<float> numbers = expected["tensors"][i]["values"];
      CHECK(torch::equal(own[i].tensor.flatten(), torch::tensor(numbers)));
    }
    for (std::size_t i = 0; i < expected["tokens"].size(); ++i) {
      const std::vector<int64_t> tokens = expected["tokens"][i];
      const std::vector<float> logits = expected["logits"][i];
      const torch::Tensor given =
          loaded->forward(torch::tensor(tokens).unsqueeze(/*dim=*/0), torch::arange(6), Dropout());
      CHECK(greatest_difference(given.flatten(), torch::tensor(logits)) < 1e-5);
    }
  }
}

TEST_CASE("a file that Python saved without checksums has the values of one with them", "[checkpoint]") {
  const auto loaded = model("learnable"), expected = model("learnable", 2);
  load_checkpoint(golden_path("learnable.pt"), *expected);
  load_checkpoint(golden_path("no-checksums.pt"), *loaded);
  CHECK(torch::equal(values(*loaded), values(*expected)));
}

TEST_CASE("files that Python saved under a wrapper name the part that it adds to every name", "[checkpoint]") {
  const auto loaded = model("learnable");
  const std::string compiled = refusal(golden_path("compiled.pt"), *loaded);
  CHECK_THAT(compiled, StartsWith("its tensors' names have '_orig_mod.' in front, which torch.compile adds"));
  const std::string parallel = refusal(golden_path("parallel.pt"), *loaded);
  CHECK_THAT(parallel, StartsWith("its tensors' names have 'module.' in front, which DataParallel or"));
  for (const std::string& line : {compiled, parallel}) CHECK(line.size() < 200);
}

TEST_CASE("weights that are not finite are refused by name before anything is copied", "[checkpoint]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.pt");
  for (const auto& [value, text] : {std::pair(std::nan(""), "nan"), std::pair(HUGE_VAL, "inf")}) {
    const auto broken = model("learnable"), loaded = model("learnable", 2);
    {
      const torch::NoGradGuard no_grad;
      broken->named_parameters()["encoder.layers.1.linear1.bias"][2] = value;
    }
    save_checkpoint(path, *broken);
    const torch::Tensor before = values(*loaded);
    try {
      load_checkpoint(path, *loaded);
      FAIL("it was loaded");
    } catch (const Error& error) {
      CHECK(error.kind() == Error::Kind::failure);
      CHECK(std::string(error.what()) ==
            path + ": encoder.layers.1.linear1.bias has 1 of 6 values that are not finite (the first is " + text +
                "): the model cannot answer");
    }
    CHECK(torch::equal(values(*loaded), before));
  }
}

TEST_CASE("a table of sines is read as PyTorch rounds it, and as it is", "[checkpoint]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.pt");
  constexpr int64_t kRows = 5000, kWidth = 32;
  const auto with_table = [&](const torch::Tensor& table) {
    const auto made = std::make_shared<TinyTransformer>(
        ModelSizes{.vocab = 5, .d_model = kWidth, .heads = 2, .layers = 1, .ffn = 6, .classes = 2},
        make_position_scheme("fixed", {.d_model = kWidth, .heads = 2, .layers = 1, .max_len = kRows}));
    if (table.defined()) made->named_buffers()["pos_enc.pe"].copy_(table);
    return made;
  };
  const auto table_in = [&](torch::ScalarType angles) {
    const torch::Tensor rate = torch::exp(torch::arange(0, kWidth, 2).to(angles) * (-std::log(10000.0) / kWidth));
    const torch::Tensor angle = torch::arange(kRows).to(angles).unsqueeze(1) * rate;
    return torch::stack({angle.sin(), angle.cos()}, /*dim=*/2).flatten(/*start_dim=*/1).to(torch::kFloat);
  };
  const torch::Tensor exact = table_in(torch::kFloat64), pytorchs = table_in(torch::kFloat);
  REQUIRE(greatest_difference(exact, pytorchs) > 1e-5);
  for (const torch::Tensor& table : {exact, pytorchs}) {
    save_checkpoint(path, *with_table(table));
    CHECK_NOTHROW(load_checkpoint(path, *with_table({})));
  }
  torch::Tensor other = exact.clone();
  other[3][1] += 2e-5;  // far beyond the rounding of row 3
  save_checkpoint(path, *with_table(other));
  CHECK_THAT(refusal(path, *with_table({})), StartsWith("pos_enc.pe is not what this model computes (given values "
                                                        "that differ by 2e-05 in row 3, allowed: 1.02e-05)"));
}

TEST_CASE("names and shapes that do not fit are all listed in one line", "[checkpoint]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.pt");
  save_checkpoint(path, *model("learnable", 1, 1));
  const std::string deeper = refusal(path, *model("learnable", 1, 2));
  CHECK_THAT(
      deeper,
      StartsWith("does not fit the model that the options make (missing: encoder.layers.1.self_attn.in_proj_weight, "));
  CHECK_THAT(deeper, ContainsSubstring("encoder.layers.1.norm2.bias"));
  CHECK_THAT(deeper, !ContainsSubstring("surplus") && !ContainsSubstring("wrong shape"));
  CHECK(refusal(path, *model("learnable", 1, 1, 7)) ==
        "does not fit the model that the options make (wrong shape: _emb.weight is (5,4), not (7,4))");

  save_checkpoint(path, *model("learnable", 1, 2));
  const std::string shallower = refusal(path, *model("learnable", 1, 1));
  CHECK_THAT(
      shallower,
      StartsWith("does not fit the model that the options make (surplus: encoder.layers.1.self_attn.in_proj_weight, "));
  CHECK_THAT(shallower, ContainsSubstring("encoder.layers.1.norm2.bias"));

  torch::nn::Module three;
  three.register_parameter("a", torch::zeros({2}));
  three.register_parameter("b", torch::zeros({2, 3}));
  folder.file("model.pt",
              checkpoint_file(pickled_dict({{"c\n", PickledTensor().pickle()}, {"b", PickledTensor().pickle()}}),
                              {floats({1, 2})}));
  CHECK(refusal(path, three) ==
        "does not fit the model that the options make (missing: a; surplus: c\\x0a; wrong shape: b is (2), not (2,3))");
}

TEST_CASE("a table that is not the model's own is refused", "[checkpoint]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.pt");
  const auto other = model("fixed");
  const torch::Tensor table = other->named_buffers()["pos_enc.pe"];
  save_checkpoint(path, *other);
  CHECK(refusal(path, *model("fixed", 2)).empty());
  table[3][1] += 1e-3;
  save_checkpoint(path, *other);
  CHECK_THAT(refusal(path, *model("fixed", 2)),
             StartsWith("pos_enc.pe is not what this model computes (given values that differ by 0.001"));
  CHECK(refusal(path, *model("learnable")).empty());  // there the table is a weight
  table[3][1] = std::nan("");
  save_checkpoint(path, *other);
  CHECK_THAT(refusal(path, *model("fixed", 2)), ContainsSubstring("nan"));
}

TEST_CASE("files that are no checkpoint are refused before the model changes", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto target = model("learnable");
  CHECK(refusal(folder.path("none.pt"), *target) == "No such file or directory");
  CHECK_THAT(refusal(folder.file("a.pt", ""), *target), StartsWith("not a zip archive"));
  const std::string good = file_bytes(golden_path("learnable.pt"));
  CHECK_THAT(refusal(folder.file("a.pt", good.substr(0, good.size() / 2)), *target), StartsWith("not a zip archive"));
  CHECK_THAT(
      refusal(folder.file("a.pt", checkpoint_file("\x80\x02" + global("os", "system") + text("true") + "\x85R.")),
              *target),
      StartsWith("global os.system is not allowed"));
  PickledTensor tensor;
  tensor.type = "DoubleStorage";
  CHECK_THAT(refusal(folder.file("a.pt", checkpoint_file(pickled_dict({{"_emb.weight", tensor.pickle()}}))), *target),
             StartsWith("_emb.weight has the wrong type (given float64"));
}

TEST_CASE("strides, offsets and shared storages are honoured", "[checkpoint]") {
  const TemporaryFolder folder;
  PickledTensor transposed, part;
  transposed.shape = part.shape = {2, 2};
  transposed.stride = {1, 3};
  part.stride = {2, 1};
  part.offset = 2;
  transposed.storage_size = part.storage_size = 6;
  const std::string file =
      checkpoint_file(pickled_dict({{"t", transposed.pickle()}, {"p", part.pickle()}}), {floats({0, 1, 2, 3, 4, 5})});
  const auto all = read_checkpoint(folder.file("a.pt", file));
  REQUIRE(all.size() == 2);
  CHECK(torch::equal(all[0].second, torch::tensor({{0.0F, 3.0F}, {1.0F, 4.0F}})));
  CHECK(torch::equal(all[1].second, torch::tensor({{2.0F, 3.0F}, {4.0F, 5.0F}})));
  CHECK(all[0].second.is_alias_of(all[1].second));
}

TEST_CASE("a view is saved without the rest of its storage", "[checkpoint]") {
  const TemporaryFolder folder;
  torch::nn::Module module;
  module.register_parameter("row",
                            torch::arange(100000.0F).view({1000, 100}).select(/*dim=*/1, 7).slice(/*dim=*/0, 0, 3));
  save_checkpoint(folder.path("a.pt"), module);
  CHECK(std::filesystem::file_size(folder.path("a.pt")) < 2000);
  CHECK(torch::equal(read_checkpoint(folder.path("a.pt"))[0].second, torch::tensor({7.0F, 107.0F, 207.0F})));
}

TEST_CASE("a checkpoint that cannot be written is an error, and leaves what was there", "[checkpoint]") {
  const TemporaryFolder folder;
  const auto saved = model("learnable");
  try {
    save_checkpoint(folder.path("none/model.pt"), *saved);
    FAIL("it was written");
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::failure);
    CHECK_THAT(error.what(), StartsWith("cannot write the file (given '" + folder.path("none/model.pt")));
  }
  torch::nn::Module doubles;
  doubles.register_buffer("d", torch::zeros({2}, torch::kFloat64));
  CHECK_THROWS_WITH(save_checkpoint(folder.path("d.pt"), doubles), ContainsSubstring("cannot save d (given Double"));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("damaged checkpoints leave the model alone or load right", "[checkpoint]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.pt"), good = file_bytes(golden_path("fixed.pt"));
  const auto right = model("fixed");
  load_checkpoint(golden_path("fixed.pt"), *right);
  const torch::Tensor wanted = values(*right);
  std::mt19937 random(2);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  for (int i = 0; i < 300; ++i) {
    std::string bad = good;
    bad[below(bad.size())] ^= static_cast<char>(1 + below(255));
    folder.file("model.pt", bad);
    const auto target = model("fixed", 3);
    if (refusal(path, *target).empty()) CHECK(torch::equal(values(*target), wanted));
  }
}
