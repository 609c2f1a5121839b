// What each wrapper does, that it does nothing else, and that training meets it where it should.
#include <cmath>
#include <set>

#include "model/tiny_transformer.h"
#include "posenc/run.h"
#include "posenc/wrapper.h"
#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;

namespace {

constexpr int64_t kLength = 6;

at::Generator generator(uint64_t seed) { return at::detail::createCPUGenerator(seed); }

PositionScheme scheme(const std::string& choice) {
  return make_position_scheme(choice, {.d_model = 8, .heads = 2, .layers = 2, .max_len = 40});
}

bool is_identity(const torch::Tensor& positions) { return torch::equal(positions, torch::arange(positions.numel())); }

RunConfig small(const std::string& pos, const std::string& seeding = "paired") {
  RunConfig config;
  config.pos = pos;
  config.seeding = seeding;
  config.vocab = 5;
  config.seq_len = kLength;
  config.max_len = 40;
  config.train_size = 200;
  config.val_size = 100;
  config.epochs = 2;
  return config;
}

std::vector<double> numbers(const RunResult& result) {
  std::vector<double> all;
  for (const EpochResult& epoch : result.epochs) all.insert(all.end(), {epoch.train_loss, epoch.val_acc});
  return all;
}

}  // namespace

TEST_CASE("random positions are a sorted sample without replacement, as PyTorch would draw it", "[wrappers]") {
  const auto wrapper = scheme("fixed+random:max=40").positions;
  auto source = generator(3), twin = generator(3);
  std::set<int64_t> met;
  for (int step = 0; step < 200; ++step) {
    const torch::Tensor positions = wrapper->training_positions(kLength, source);
    REQUIRE(positions.sizes() == torch::IntArrayRef({kLength}));
    CHECK((positions.diff() > 0).all().item<bool>());
    // torch.randperm(max, generator)[:length].sort(), the published code's way.
    CHECK(torch::equal(positions, std::get<0>(torch::randperm(40, twin, torch::kInt64).slice(0, 0, kLength).sort())));
    for (int64_t i = 0; i < kLength; ++i) met.insert(positions[i].item<int64_t>());
  }
  CHECK(met.size() == 40);
  CHECK(*met.rbegin() == 39);
  CHECK(is_identity(scheme("fixed+random:max=6").positions->training_positions(kLength, source)));
}

TEST_CASE("a random offset shifts all positions alike and reaches both ends", "[wrappers]") {
  const auto wrapper = scheme("fixed+offset:max=9").positions;
  auto source = generator(3);
  std::set<int64_t> met;
  for (int step = 0; step < 200; ++step) {
    const torch::Tensor positions = wrapper->training_positions(kLength, source);
    met.insert(positions[0].item<int64_t>());
    CHECK(is_identity(positions - positions[0]));
  }
  CHECK(met == std::set<int64_t>{0, 1, 2, 3});
}

TEST_CASE("evaluation is at 0..L-1 and draws nothing unless asked", "[wrappers]") {
  for (const char* choice : {"fixed", "fixed+random:max=40", "fixed+offset:max=40", "fixed+logn"}) {
    INFO(choice);
    auto source = generator(3);
    const torch::Tensor before = source.get_state();
    const auto draws = scheme(choice).positions->evaluation_positions(kLength, source);
    REQUIRE(draws.size() == 1);
    CHECK(is_identity(draws.front()));
    CHECK(torch::equal(source.get_state(), before));
    CHECK_FALSE(scheme(choice).positions->draws_at_evaluation());
  }
  auto source = generator(3);
  CHECK(scheme("fixed+random:max=40,eval=random").positions->evaluation_positions(kLength, source).size() == 1);
  CHECK(scheme("fixed+random:max=40,eval=mean").positions->evaluation_positions(kLength, source).size() == 8);
  CHECK(scheme("fixed+random:max=40,eval=mean,samples=3").positions->evaluation_positions(kLength, source).size() == 3);
}

TEST_CASE("eval=mean is the mean of the class probabilities", "[wrappers]") {
  TinyTransformer model({.vocab = 5, .d_model = 8, .heads = 2, .layers = 2, .ffn = 8, .classes = 2},
                        scheme("fixed+random:max=40,eval=mean,samples=3"));
  auto weights = generator(1);
  model.reset_parameters(weights, weights);
  const torch::NoGradGuard no_grad;
  const torch::Tensor tokens = torch::randint(0, 5, {4, kLength}, weights, torch::kInt64);
  auto source = generator(7), twin = generator(7);
  const torch::Tensor answered = torch::softmax(evaluation_logits(model, tokens, source), 1);
  torch::Tensor expected = torch::zeros({4, 2});
  for (int i = 0; i < 3; ++i) {
    const torch::Tensor positions = std::get<0>(torch::randperm(40, twin, torch::kInt64).slice(0, 0, kLength).sort());
    expected += torch::softmax(model.forward(tokens, positions, Dropout()), 1) / 3;
  }
  CHECK(greatest_difference(answered, expected) < 1e-6);
}

TEST_CASE("logn multiplies the scores by the logarithm of the length and leaves the bias alone", "[wrappers]") {
  CHECK(scheme("alibi+logn").scores->score_factor(20) == Approx(2.995732273553991));
  CHECK(scheme("alibi").scores->score_factor(20) == 1);
  // A model whose queries are all scaled by ln L instead, which leaves a bias of positions alone as it is.
  const auto build = [](const std::string& choice) {
    auto model = std::make_shared<TinyTransformer>(
        ModelSizes{.vocab = 5, .d_model = 8, .heads = 2, .layers = 2, .ffn = 8, .classes = 2}, scheme(choice));
    auto weights = generator(1);
    model->reset_parameters(weights, weights);
    return model;
  };
  const torch::NoGradGuard no_grad;
  const auto wrapped = build("alibi+logn"), scaled = build("alibi");
  for (auto& parameter : scaled->named_parameters())
    if (parameter.key().find("in_proj") != std::string::npos)
      parameter.value().slice(0, 0, 8).mul_(std::log(static_cast<double>(kLength)));
  auto source = generator(2);
  const torch::Tensor tokens = torch::randint(0, 5, {4, kLength}, source, torch::kInt64);
  const auto logits = [&](TinyTransformer& model) { return model.forward(tokens, torch::arange(kLength), Dropout()); };
  CHECK(greatest_difference(logits(*wrapped), logits(*scaled)) < 1e-5);
  CHECK(greatest_difference(logits(*wrapped), logits(*build("alibi"))) > 1e-3);
}

TEST_CASE("a wrapper leaves the encoding, its weights and its parameters as they are", "[wrappers]") {
  for (const EncodingEntry& entry : catalog().encodings) {
    if (entry.causal_only) continue;
    for (const WrapperEntry& wrapper : catalog().wrappers) {
      INFO(entry.name << "+" << wrapper.name);
      const PositionScheme plain = scheme(entry.name), wrapped = scheme(entry.name + "+" + wrapper.name);
      auto a = generator(1), b = generator(1);
      plain.encoding->reset_parameters(a);
      wrapped.encoding->reset_parameters(b);
      const auto theirs = wrapped.encoding->named_parameters();
      CHECK(theirs.size() == plain.encoding->named_parameters().size());
      for (const auto& parameter : plain.encoding->named_parameters())
        CHECK(torch::equal(parameter.value(), theirs[parameter.key()]));
      CHECK((wrapped.scores->score_factor(kLength) == 1) == (wrapper.kind == WrapperEntry::Kind::positions));
    }
  }
}

TEST_CASE("under paired seeding a wrapper of positions changes the positions and nothing else that is drawn",
          "[wrappers]") {
  Trainer plain(small("fixed")), wrapped(small("fixed+random:max=40"));
  CHECK(torch::equal(plain.training_set().tokens, wrapped.training_set().tokens));
  const auto theirs = wrapped.model().named_parameters();
  for (const auto& parameter : plain.model().named_parameters())
    CHECK(torch::equal(parameter.value(), theirs[parameter.key()]));
  // With as many positions as tokens there is nothing to choose: the same curve to the bit.
  CHECK(numbers(run(small("fixed+random:max=6"))) == numbers(run(small("fixed"))));
  CHECK(numbers(run(small("fixed+offset:max=6"))) == numbers(run(small("fixed"))));
  CHECK(numbers(run(small("fixed+random:max=40"))) != numbers(run(small("fixed"))));
}

TEST_CASE("under single seeding positions are drawn before the masks of a step", "[wrappers]") {
  RunConfig config = small("fixed+random:max=40", "single");
  config.train_size = config.batch_size = 64;  // an epoch is one step
  Trainer trainer(config);
  // The same draws by hand, from one generator: weights, data, order, positions, masks.
  auto source = generator(42);
  TinyTransformer model({.vocab = 5, .d_model = 32, .heads = 4, .layers = 1, .ffn = 64, .classes = 2},
                        make_position_scheme("fixed", {.d_model = 32, .heads = 4, .layers = 1, .max_len = 40}));
  model.reset_parameters(source, source);
  const torch::Tensor tokens = torch::randint(0, 5, {64, kLength}, source, torch::kInt64);
  torch::randint(0, 5, {100, kLength}, source, torch::kInt64);
  const torch::Tensor order = torch::randperm(64, source, torch::kInt64);
  const torch::Tensor positions = std::get<0>(torch::randperm(40, source, torch::kInt64).slice(0, 0, kLength).sort());
  const torch::Tensor batch = tokens.index_select(0, order);
  const torch::Tensor logits = model.forward(batch, positions, Dropout(config.dropout, source));
  const torch::Tensor labels = (batch.select(1, 0) + batch.select(1, kLength - 1)).remainder(2);
  const double expected = torch::cross_entropy_loss(logits, labels).item<double>();
  CHECK(trainer.train_epoch(nullptr) == Approx(expected).margin(1e-6));
}

TEST_CASE("evaluation at random positions is the same every time and changes no training", "[wrappers]") {
  const RunResult identity = run(small("fixed+random:max=40")), drawn = run(small("fixed+random:max=40,eval=random")),
                  again = run(small("fixed+random:max=40,eval=random"));
  CHECK(numbers(drawn) == numbers(again));
  for (std::size_t i = 0; i < identity.epochs.size(); ++i)
    CHECK(identity.epochs[i].train_loss == drawn.epochs[i].train_loss);
  Trainer trainer(small("fixed+random:max=40,eval=random"));
  CHECK(trainer.validate() == trainer.validate());
}

TEST_CASE("every encoding that reads positions trains at random and at shifted ones", "[wrappers]") {
  for (const EncodingEntry& entry : catalog().encodings) {
    if (!entry.reads_positions) continue;
    for (const char* wrapper : {"+random:max=40", "+offset:max=40", "+random:max=40,eval=mean,samples=2+logn"}) {
      INFO(entry.name << wrapper);
      RunConfig config = small(entry.name + wrapper);
      config.epochs = 1;
      config.train_size = 64;
      const RunResult result = run(config);
      CHECK(result.status == RunResult::Status::finished);
      CHECK(std::isfinite(result.last().train_loss));
    }
  }
}

TEST_CASE("positions that evaluation has met before can be trained at", "[wrappers]") {
  for (const EncodingEntry& entry : catalog().encodings) {
    if (!entry.reads_positions) continue;
    INFO(entry.name);
    RunConfig config = small(entry.name + "+offset:max=7");  // every other step is at 0..L-1, where evaluation is
    config.train_size = 64;
    config.batch_size = 8;
    config.epochs = 4;
    CHECK(run(config).status == RunResult::Status::finished);
    config.engine = "reference";
    CHECK(run(config).status == RunResult::Status::finished);
  }
}
