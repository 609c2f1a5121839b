#include "model/tiny_transformer.h"

#include <map>
#include <set>

#include "support/torch_catch.h"

using namespace posenc;

namespace {

std::shared_ptr<TinyTransformer> model(int64_t layers, const std::string& pos = "learnable") {
  const EncodingSizes sizes{.d_model = 12, .heads = 3, .layers = layers, .max_len = 6};
  auto built =
      std::make_shared<TinyTransformer>(ModelSizes{10, 12, 3, layers, 20, 2}, make_position_scheme(pos, sizes));
  auto generator = at::detail::createCPUGenerator(5);
  built->reset_parameters(generator, generator);
  return built;
}

// Query (part 0), key (1) or value (2) of each head: x (2,6,12) -> (2,3,6,4). The biases start at zero.
torch::Tensor projected(const SelfAttention& attention, const torch::Tensor& x, int64_t part) {
  const torch::Tensor weight = attention.named_parameters()["in_proj_weight"].slice(0, 12 * part, 12 * (part + 1));
  return torch::matmul(x, weight.t()).view({2, 6, 3, 4}).transpose(1, 2);
}

// The heads' outputs (2,3,6,4) through the output projection -> (2,6,12).
torch::Tensor joined(const SelfAttention& attention, const torch::Tensor& mixed) {
  return torch::matmul(mixed.transpose(1, 2).reshape({2, 6, 12}), attention.named_parameters()["out_proj.weight"].t());
}

}  // namespace

TEST_CASE("the state dict has the published names", "[model]") {
  std::set<std::string> names;
  for (const auto& parameter : model(2)->named_parameters()) names.insert(parameter.key());
  for (const auto& buffer : model(2, "fixed")->named_buffers()) CHECK(buffer.key() == "pos_enc.pe");
  std::set<std::string> expected = {"_emb.weight", "pos_enc.pe", "classifier.weight", "classifier.bias"};
  for (const char* layer : {"encoder.layers.0.", "encoder.layers.1."})
    for (const char* name : {"self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight",
                             "self_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight",
                             "linear2.bias", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"})
      expected.insert(std::string(layer) + name);
  CHECK(names == expected);
}

TEST_CASE("layers start as copies of the first", "[model]") {
  const auto parameters = model(3)->named_parameters();
  for (const auto& parameter : parameters) {
    const std::string first = "encoder.layers.0.";
    if (!parameter.key().starts_with(first)) continue;
    for (const char* other : {"encoder.layers.1.", "encoder.layers.2."})
      CHECK(torch::equal(parameter.value(), parameters[other + parameter.key().substr(first.size())]));
  }
}

TEST_CASE("the attention is torch's own scaled dot product attention", "[model]") {
  // One layer's self-attention, with its weights taken apart and put through LibTorch's operator.
  SelfAttention attention(12, 3);
  auto generator = at::detail::createCPUGenerator(5);
  attention.reset_parameters(generator);
  const torch::Tensor x = torch::rand({2, 6, 12}, generator);
  const auto heads = [&](int64_t part) { return projected(attention, x, part); };
  const torch::Tensor mixed = at::scaled_dot_product_attention(heads(0), heads(1), heads(2));
  const torch::Tensor expected = joined(attention, mixed);
  Encoding nothing;
  CHECK(greatest_difference(attention.forward(x, 0, {torch::arange(6), nothing, Dropout()}), expected) < 1e-6);
}

TEST_CASE("causal attention is torch's own, and no output depends on a later token", "[model]") {
  SelfAttention attention(12, 3, /*causal=*/true);
  auto generator = at::detail::createCPUGenerator(5);
  attention.reset_parameters(generator);
  const torch::Tensor x = torch::rand({2, 6, 12}, generator);
  const auto heads = [&](int64_t part) { return projected(attention, x, part); };
  const torch::Tensor mixed = at::scaled_dot_product_attention(heads(0), heads(1), heads(2), /*attn_mask=*/{},
                                                               /*dropout_p=*/0, /*is_causal=*/true);
  const torch::Tensor expected = joined(attention, mixed);
  Encoding nothing;
  const torch::Tensor output = attention.forward(x, 0, {torch::arange(6), nothing, Dropout()});
  CHECK(greatest_difference(output, expected) < 1e-6);
  torch::Tensor changed = x.clone();
  changed.select(1, 5).fill_(7);
  const torch::Tensor other = attention.forward(changed, 0, {torch::arange(6), nothing, Dropout()});
  CHECK(torch::equal(output.slice(1, 0, 5), other.slice(1, 0, 5)));
}

TEST_CASE("pooling takes the mean, the first, the last or the greatest over positions", "[model]") {
  const torch::Tensor tokens = torch::tensor({{1, 2, 3, 4, 5, 6}});
  std::map<Pool, torch::Tensor> logits;
  for (const Pool pool : {Pool::mean, Pool::first, Pool::last, Pool::max}) {
    const EncodingSizes sizes{.d_model = 12, .heads = 3, .layers = 1, .max_len = 6};
    TinyTransformer built({.vocab = 10, .d_model = 12, .heads = 3, .layers = 1, .ffn = 20, .classes = 2, .pool = pool},
                          make_position_scheme("fixed", sizes));
    auto generator = at::detail::createCPUGenerator(5);
    built.reset_parameters(generator, generator);
    logits[pool] = built.forward(tokens, torch::arange(6), Dropout());
    // A sequence of one token pools to that token however it is pooled.
    CHECK(torch::equal(built.forward(tokens.slice(1, 0, 1), torch::arange(1), Dropout()).isnan().any(),
                       torch::tensor(false)));
  }
  CHECK(greatest_difference(logits[Pool::first], logits[Pool::last]) > 1e-3);
  CHECK(greatest_difference(logits[Pool::mean], logits[Pool::max]) > 1e-3);
  CHECK(pool_named("mean") == Pool::mean);
  CHECK(pool_named("max") == Pool::max);
}

TEST_CASE("the attention applies an encoding's rotation, bias and values where they belong", "[model]") {
  class Hooks : public Encoding {
   public:
    std::pair<torch::Tensor, torch::Tensor> rotate(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor&,
                                                   int64_t) override {
      return {q * 2, k * 3};
    }
    torch::Tensor bias(const AttentionInput& input) override {
      CHECK(input.x.sizes() == torch::IntArrayRef({2, 6, 12}));
      CHECK(input.q.sizes() == torch::IntArrayRef({2, 3, 6, 4}));
      return torch::arange(3 * 36).view({3, 6, 6}) / 50.0;
    }
    torch::Tensor values(const torch::Tensor& probabilities, const torch::Tensor&, int64_t) override {
      return torch::matmul(probabilities, torch::ones({6, 4}));
    }
  };
  SelfAttention attention(12, 3);
  auto generator = at::detail::createCPUGenerator(5);
  attention.reset_parameters(generator);
  const torch::Tensor x = torch::rand({2, 6, 12}, generator);
  const auto heads = [&](int64_t part) { return projected(attention, x, part); };
  const torch::Tensor mask = (torch::arange(3 * 36).view({3, 6, 6}) / 50.0).expand({2, 3, 6, 6});
  const torch::Tensor mixed = at::scaled_dot_product_attention(heads(0) * 2, heads(1) * 3, heads(2), mask) + 1;
  const torch::Tensor expected = joined(attention, mixed);
  Hooks hooks;
  CHECK(greatest_difference(attention.forward(x, 0, {torch::arange(6), hooks, Dropout()}), expected) < 1e-5);
}
