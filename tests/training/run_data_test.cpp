// Data that a run draws: online batches, held-out pairs, validation and test sets.
#include "training/run_data.h"

#include <ATen/CPUGeneratorImpl.h>

#include <map>
#include <set>

#include "config/resolve.h"
#include "posenc/catalog.h"
#include "support/torch_catch.h"
#include "training/length_test.h"
#include "training/trainer.h"

using namespace posenc;

namespace {

RunConfig online(const std::string& lengths, int64_t seed = 7) {
  RunConfig config;
  config.train_len = lengths;
  config.seq_len = config.max_len = trained_lengths(config).longest;
  config.data = "online";
  config.vocab = 10;
  config.seed = config.data_seed = config.init_seed = seed;
  check(config, catalog());
  return config;
}

RunData data_of(const RunConfig& config, uint64_t stream_seed = 1) {
  at::Generator stream = at::detail::createCPUGenerator(stream_seed);
  return RunData(config, stream, torch::kCPU);
}

}  // namespace

TEST_CASE("an online batch is a function of the seed and the step alone", "[training]") {
  const RunConfig config = online("2..40");
  const RunData once = data_of(config), again = data_of(config, /*stream_seed=*/99);
  for (int64_t step = 0; step < 5; ++step) once.online_batch(step);
  const Dataset a = once.online_batch(1000), b = again.online_batch(1000);
  CHECK(torch::equal(a.tokens, b.tokens));
  CHECK(torch::equal(a.labels, b.labels));
  CHECK_FALSE(torch::equal(a.tokens, data_of(online("2..40", 8)).online_batch(1000).tokens.slice(1, 0, a.length())));
  std::set<int64_t> lengths;
  for (int64_t step = 0; step < 400; ++step) lengths.insert(once.online_batch(step).length());
  CHECK(lengths.size() == 39);  // every one of them, and none else
  CHECK(*lengths.begin() == 2);
  CHECK(*lengths.rbegin() == 40);
}

TEST_CASE("batch 1,000 of seed 7 is pinned", "[training]") {
  // Counted once; a change here changes every online run ever made.
  const Dataset batch = data_of(online("5..5")).online_batch(1000);
  int64_t hash = 0;
  for (int64_t i = 0; i < batch.tokens.numel(); ++i)
    hash = (hash * 31 + batch.tokens.const_data_ptr<int64_t>()[i]) % 1000003;
  CHECK(batch.size() == 64);
  CHECK(hash == 995437);
}

TEST_CASE("validation is spread evenly over the trained lengths", "[training]") {
  RunConfig config = online("4..9");
  config.val_size = 100;
  const RunData data = data_of(config);
  REQUIRE(data.validation_sets().size() == 6);
  int64_t all = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(data.validation_sets()[i].length() == 4 + static_cast<int64_t>(i));
    CHECK((data.validation_sets()[i].size() == 16 || data.validation_sets()[i].size() == 17));
    all += data.validation_sets()[i].size();
  }
  CHECK(all == 100);
}

TEST_CASE("held-out pairs are in validation alone, by enumeration", "[training]") {
  for (const bool is_online : {false, true}) {
    RunConfig config;
    config.vocab = 6;
    config.holdout_pairs = 0.25;
    config.data = is_online ? "online" : "fixed";
    const RunData data = data_of(config);
    std::set<std::pair<int64_t, int64_t>> trained, validated;
    const auto collect = [](const Dataset& set, std::set<std::pair<int64_t, int64_t>>& pairs) {
      for (int64_t i = 0; i < set.size(); ++i) {
        const int64_t* row = set.tokens.const_data_ptr<int64_t>() + i * set.length();
        pairs.emplace(row[0], row[set.length() - 1]);
      }
    };
    if (is_online) {
      for (int64_t step = 0; step < 40; ++step) collect(data.online_batch(step), trained);
    } else {
      collect(data.training_set(), trained);
    }
    collect(data.validation_sets().front(), validated);
    CHECK(trained.size() == 27);
    CHECK(validated.size() == 9);  // a quarter of 36
    for (const auto& pair : validated) CHECK_FALSE(trained.contains(pair));
  }
}

TEST_CASE("a test set is the same for every encoding and under either seeding", "[training]") {
  RunConfig config = online("2..20");
  RunConfig other = config;
  other.pos = "rope";
  other.seeding = "paired";
  CHECK(torch::equal(data_of(config).test_set(64).tokens, data_of(other, 5).test_set(64).tokens));
}

TEST_CASE("what a test measures is right on answers that are known", "[training]") {
  // Two classes; logits ln p with p = 0.8 for class 0, of which three of four are right.
  const torch::Tensor logits = torch::log(torch::tensor({{0.8, 0.2}, {0.8, 0.2}, {0.8, 0.2}, {0.8, 0.2}}));
  const torch::Tensor labels = torch::tensor({int64_t{0}, int64_t{0}, int64_t{0}, int64_t{1}});
  const LengthResult result = measured(logits, labels);
  CHECK(result.accuracy == Approx(0.75));
  CHECK(result.cross_entropy == Approx(-(3 * std::log(0.8) + std::log(0.2)) / 4));
  CHECK(result.calibration_error == Approx(0.05));  // one bin: 0.8 said, 0.75 right
  CHECK(result.margin == Approx((3 * std::log(4.0) - std::log(4.0)) / 4));
}

TEST_CASE("beyond a table positions stay at its last trained row, or are spread over its rows", "[training]") {
  RunConfig config;
  config.seq_len = config.max_len = 4;
  config.vocab = 10;
  config.eval_len = "4,7";
  config.eval_size = 50;
  const auto tested = [&](const std::string& policy) {
    config.oob = policy;
    Trainer trainer(config);
    return trainer.test_lengths(nullptr);
  };
  Trainer trainer(config);
  const torch::InferenceMode inference;
  const Dataset test = trainer.data().test_set(7);
  const torch::Tensor clamped =
      trainer.model().forward(test.tokens, torch::tensor({0, 1, 2, 3, 3, 3, 3}).to(torch::kInt64), Dropout());
  CHECK(tested("clamp")[1].cross_entropy == Approx(measured(clamped, test.labels).cross_entropy).epsilon(1e-6));
  // Seven places over four rows: 0, 0.5, 1, 1.5, 2, 2.5, 3.
  const torch::Tensor rows = trainer.model().scheme().encoding->rows(torch::arange(4));
  class Halves : public Encoding {
   public:
    explicit Halves(torch::Tensor all) : all_(std::move(all)) {}
    torch::Tensor embed(const torch::Tensor& x, const torch::Tensor&) override { return x + all_; }

   private:
    torch::Tensor all_;
  };
  std::vector<torch::Tensor> spread;
  for (int64_t i = 0; i < 7; ++i) spread.push_back(i % 2 == 0 ? rows[i / 2] : (rows[i / 2] + rows[i / 2 + 1]) / 2);
  Halves halves(torch::stack(spread));
  const torch::Tensor interpolated = trainer.model().forward_with(halves, test.tokens, torch::arange(7), Dropout());
  CHECK(tested("interpolate")[1].cross_entropy ==
        Approx(measured(interpolated, test.labels).cross_entropy).epsilon(1e-6));
  config.max_len = 7;
  CHECK(tested("untrained")[1].untrained_positions == 3);
}

TEST_CASE("a run of steps takes just so many, whatever the epochs", "[training]") {
  RunConfig config = online("2..6");
  config.train_size = 640;
  config.steps = 25;
  config.epochs = 3;
  Trainer trainer(config);
  for (int epoch = 0; epoch < 3; ++epoch) trainer.train_epoch(nullptr);
  int64_t sequences = 0;
  for (const int64_t count : trainer.train_labels()) sequences += count;
  CHECK(sequences == 25 * 64);
  CHECK(trainer.done());
}
