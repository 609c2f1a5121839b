// Encodings against published packages (scripts/golden/packages.py, tests/golden/packages.json), at lengths, head
// counts and widths that no paper uses as well.
#include <fstream>
#include <nlohmann/json.hpp>

#include "posenc/wrapper.h"
#include "support/torch_catch.h"

using namespace posenc;
using nlohmann::json;

namespace {

const json& packages() {
  static const json all = json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/packages.json"));
  return all;
}

// Nested arrays of numbers, as deep as they go.
torch::Tensor tensor(const json& numbers) {
  if (!numbers.front().is_array()) return torch::tensor(numbers.get<std::vector<double>>(), torch::kFloat64);
  std::vector<torch::Tensor> rows;
  for (const json& row : numbers) rows.push_back(tensor(row));
  return torch::stack(rows);
}

torch::Tensor whole(const json& numbers) { return torch::tensor(numbers.get<std::vector<int64_t>>()); }

}  // namespace

TEST_CASE("t5 has the buckets of Hugging Face's T5", "[encodings]") {
  REQUIRE(packages()["t5_buckets"].size() >= 6);
  for (const json& known : packages()["t5_buckets"]) {
    const std::string choice =
        "t5:buckets=" + known["buckets"].dump() + ",max-distance=" + known["max_distance"].dump();
    INFO(choice);
    const bool causal = !known["bidirectional"].get<bool>();
    const auto scheme = make_position_scheme(choice, {.d_model = 12, .heads = 3, .causal = causal});
    const torch::Tensor expected = whole(known["rows"]);  // of distances -(L-1)..L-1
    const int64_t length = (expected.numel() + 1) / 2;
    const torch::Tensor buckets = scheme.encoding->buckets(torch::arange(length));
    for (int64_t i : {int64_t{0}, length / 2, length - 1})
      CHECK(torch::equal(buckets[i], expected.slice(0, length - 1 - i, 2 * length - 1 - i)));
  }
}

TEST_CASE("alibi has the slopes of Hugging Face's BLOOM, for any number of heads", "[encodings]") {
  const json& all = packages()["alibi_slopes"];
  REQUIRE(all.size() >= 16);
  for (const json& known : all) {
    const torch::Tensor slopes = tensor(known);
    const int64_t heads = slopes.numel();
    INFO(heads);
    const auto scheme = make_position_scheme("alibi", {.d_model = 2 * heads, .heads = heads});
    const torch::Tensor q = torch::zeros({1, heads, 2, 2});
    const torch::Tensor bias = scheme.encoding->bias({torch::zeros({1, 2, 2 * heads}), q, q, torch::arange(2), 0});
    CHECK(greatest_difference(-bias.select(1, 0).select(1, 1), slopes) < 1e-6);
  }
}

TEST_CASE("rope turns as the published packages do, in both pairings", "[encodings]") {
  REQUIRE(packages()["rope"].size() >= 6);
  for (const json& known : packages()["rope"]) {
    const std::string choice = known["pos"];
    const torch::Tensor in = tensor(known["in"]), out = tensor(known["out"]);
    INFO(choice << " of width " << in.size(1) << " from " << known["package"]);
    const auto scheme = make_position_scheme(choice, {.d_model = 3 * in.size(1), .heads = 3});
    const torch::Tensor q = in.view({1, 1, in.size(0), in.size(1)}).expand({1, 3, -1, -1});
    const auto turned = scheme.encoding->rotate(q, q, whole(known["positions"]), 0);
    CHECK(greatest_difference(turned.first[0][2], out) < 1e-5);
    CHECK(greatest_difference(turned.second[0][2], out) < 1e-5);
  }
}

TEST_CASE("fixed has the rows of the published packages, as the paper and as its code have them", "[encodings]") {
  REQUIRE(packages()["fixed"].size() >= 4);
  for (const json& known : packages()["fixed"]) {
    const std::string choice = known["pos"];
    const torch::Tensor rows = tensor(known["rows"]);
    INFO(choice << " of width " << rows.size(1) << " from " << known["package"]);
    const auto scheme = make_position_scheme(choice, {.d_model = rows.size(1), .heads = 1, .max_len = 5});
    const torch::Tensor table =
        scheme.encoding->embed(torch::zeros({1, rows.size(0), rows.size(1)}), torch::arange(rows.size(0)))[0];
    CHECK(greatest_difference(table, rows) < 1e-5);
  }
}

TEST_CASE("cope adds what x-transformers' CoPE adds", "[encodings]") {
  const json& known = packages()["cope"];
  const torch::Tensor q = tensor(known["q"]), k = tensor(known["k"]),
                      table = tensor(known["table"]);  // (B,H,L,d), (P+1,d)
  const int64_t heads = q.size(1), width = q.size(3), length = q.size(2);
  const auto scheme = make_position_scheme("cope:max-position=" + std::to_string(table.size(0) - 1),
                                           {.d_model = heads * width, .heads = heads, .layers = 1, .causal = true});
  scheme.encoding->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  scheme.encoding->named_parameters()["table"][0].copy_(table);
  const torch::Tensor bias =
      scheme.encoding->bias({torch::zeros({1, length, heads * width}), q, k, torch::arange(length), 0});
  CHECK(greatest_difference(bias.tril(), tensor(known["bias"]).tril()) < 1e-5);
}

TEST_CASE("fox adds what x-transformers' data-dependent ALiBi adds", "[encodings]") {
  for (const json& known : packages()["fox"]) {
    const bool causal = known["causal"];
    const torch::Tensor x = tensor(known["x"]);  // (B,L,D)
    const torch::Tensor weight = tensor(known["weight"]), bias_of_gate = tensor(known["bias_of_gate"]);
    const torch::Tensor expected = tensor(known["bias"]);  // (B,H,L,L)
    const int64_t heads = expected.size(1), length = x.size(1), d_model = x.size(2);
    const auto scheme =
        make_position_scheme("fox", {.d_model = d_model, .heads = heads, .layers = 1, .causal = causal});
    scheme.encoding->to(torch::kFloat64);
    const torch::NoGradGuard no_grad;
    scheme.encoding->named_parameters()["gate0.weight"].copy_(weight);
    scheme.encoding->named_parameters()["gate0.bias"].copy_(bias_of_gate);
    const torch::Tensor q = torch::zeros({x.size(0), heads, length, d_model / heads}, torch::kFloat64);
    torch::Tensor bias = scheme.encoding->bias({x, q, q, torch::arange(length), 0});
    CHECK(greatest_difference(causal ? bias.tril() : bias, causal ? expected.tril() : expected) < 1e-5);
  }
}
