// A BOS token: the model with one, what it can see, and what the command line makes of it.
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "config/identity.h"
#include "config/resolve.h"
#include "model/tiny_transformer.h"
#include "posenc/catalog.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

using namespace posenc;
using torch::Tensor;

namespace {

constexpr int64_t kVocab = 9, kLength = 7;

std::shared_ptr<TinyTransformer> model(const std::string& pos, bool bos, Pool pool = Pool::mean, bool causal = false) {
  // Without BOS one token more, so that either has as many rows.
  auto built = std::make_shared<TinyTransformer>(
      ModelSizes{.vocab = bos ? kVocab : kVocab + 1,
                 .d_model = 12,
                 .heads = 3,
                 .layers = 2,
                 .ffn = 10,
                 .classes = 2,
                 .causal = causal,
                 .pool = pool,
                 .bos = bos},
      make_position_scheme(pos, {.d_model = 12, .heads = 3, .layers = 2, .max_len = kLength + 1, .causal = causal}));
  auto generator = at::detail::createCPUGenerator(5);
  built->reset_parameters(generator, generator);
  return built;
}

Tensor some_tokens() {
  auto generator = at::detail::createCPUGenerator(6);
  return torch::randint(0, kVocab, {4, kLength}, generator, torch::kInt64);
}

Tensor logits(TinyTransformer& of, const Tensor& tokens) {
  const torch::InferenceMode inference;
  return of.forward(tokens, torch::arange(of.length_of(tokens)), Dropout());
}

}  // namespace

TEST_CASE("a model with a BOS token is one whose sequences start with a token of their own", "[model]") {
  const Tensor tokens = some_tokens(), longer = torch::cat({torch::full({4, 1}, kVocab, torch::kInt64), tokens}, 1),
               labels = torch::tensor({0, 1, 1, 0}, torch::kInt64);
  for (const char* pos : {"learnable", "rope", "relative", "none+logn"})
    for (const Pool pool : {Pool::mean, Pool::first, Pool::last, Pool::max})
      for (const bool by_kernels : {false, true}) {
        INFO(pos << ", kernels " << by_kernels);
        const auto with = model(pos, true, pool), without = model(pos, false, pool);
        if (by_kernels) {
          with->use_kernels();
          without->use_kernels();
        }
        CHECK(with->length_of(tokens) == kLength + 1);
        CHECK(torch::equal(logits(*with, tokens), logits(*without, longer)));
        with->loss(tokens, labels, torch::arange(kLength + 1), Dropout()).backward();
        without->loss(longer, labels, torch::arange(kLength + 1), Dropout()).backward();
        CHECK(torch::equal(with->named_parameters()["_emb.weight"].grad(),
                           without->named_parameters()["_emb.weight"].grad()));
      }
}

TEST_CASE("a BOS token that is pooled sees the multiset without positions, and nothing under causal attention",
          "[model]") {
  const Tensor tokens = some_tokens(), rolled = tokens.roll(2, 1), others = (tokens + 1).remainder(kVocab);
  const auto two_sided = model("none", true, Pool::first), causal = model("learnable", true, Pool::first, true);
  CHECK(greatest_difference(logits(*two_sided, tokens), logits(*two_sided, rolled)) < 1e-5);
  CHECK(greatest_difference(logits(*two_sided, tokens), logits(*two_sided, others)) > 1e-3);
  CHECK(torch::equal(logits(*causal, tokens), logits(*causal, others)));
}

TEST_CASE("a BOS token tells a sequence from its reversal", "[model]") {
  const Tensor tokens = some_tokens(), reversed = tokens.flip(1);
  const auto with = model("alibi", true), without = model("alibi", false);
  CHECK(greatest_difference(logits(*without, tokens), logits(*without, reversed)) < 1e-5);
  CHECK(greatest_difference(logits(*with, tokens), logits(*with, reversed)) > 1e-3);
}

TEST_CASE("a position table has a row for the BOS token unless max-len is given", "[model]") {
  const auto config = [](Settings settings) { return resolve(settings, catalog()).config; };
  CHECK(config({{"bos", {"true", {}}}}).max_len == 17);
  CHECK(config({{"bos", {"true", {}}}, {"max-len", {"40", {}}}}).max_len == 40);
  CHECK(config({}).max_len == 16);
  RunConfig bos;
  bos.bos = true;
  bos.max_len = 17;
  CHECK(run_id(bos, catalog()) == fmt::format("r{:016x}", fnv1a("posenc run, schema 2\nbos=true\n")));
  refused("--bos --max-len 16",
          "--seq-len with the token of --bos is longer than the position table of learnable (given 17, allowed: up to "
          "--max-len, which is 16)");
  refused("--bos --pos rope+random:max=16",
          "--seq-len with the token of --bos is longer than the positions of random (given 17, allowed: up to 16");
}

TEST_CASE("a saved model with a BOS token is evaluated and asked as it was trained", "[model]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const std::string run = "--bos --seq-len 4 --vocab 10 --train-size 100 --val-size 50 --epochs 2 --json --out ";
  const Outcome trained = posenc_command(run + out);
  REQUIRE(trained.exit_code == 0);
  const std::string file = std::filesystem::directory_iterator(out + "/models")->path().string();
  const double accuracy = nlohmann::json::parse(lines(trained.data).back())["val_acc"];
  CHECK(nlohmann::json::parse(posenc_command("eval --json " + file).data)["val_acc"] == accuracy);
  CHECK(posenc_command("predict " + file + " --tokens 1,2,3,4").exit_code == 0);
  refused("predict " + file + " --tokens 1,2,3,10", "--tokens is out of range (given '10', allowed: integer 0..9)");
  refused("predict " + file + " --tokens 1,2,3,4,5",
          "the sequence goes beyond the positions that the table of learnable is trained for (given 5, allowed: up to "
          "4, or --oob clamp");
}

TEST_CASE("labels and sequences do not know of a BOS token, and an inspection shows it as the token after the last",
          "[model]") {
  const auto sampled = lines(posenc_command("sample --bos --seq-len 4 --vocab 10 --n 3 --json").data);
  CHECK(sampled.size() >= 1);
  CHECK_THAT(posenc_command("sample --bos --seq-len 4 --vocab 10 --n 50").data, !ContainsSubstring("10"));
  const auto seen = nlohmann::json::parse(posenc_command("inspect --bos --pos fox --seq-len 4 --vocab 10 --json").data);
  CHECK(seen["positions"] == nlohmann::json({0, 1, 2, 3, 4}));
  CHECK(seen["tokens"].size() == 5);
  CHECK(seen["tokens"][0] == 10);
}

TEST_CASE("the doctor finds nothing wrong with a BOS token", "[model]") {
  const Outcome outcome = posenc_command("doctor --bos --pos none,rope,alibi --task parity --seq-len 9");
  INFO(outcome.data);
  CHECK(outcome.exit_code == 0);
}
