// Data that a run draws: online batches, held-out pairs, validation and test sets.
#include "training/run_data.h"

#include <ATen/CPUGeneratorImpl.h>

#include <map>
#include <set>

#include "config/resolve.h"
#include "posenc/catalog.h"
#include "support/torch_catch.h"
#include "training/at_length.h"
#include "training/evaluation.h"
#include "training/length_test.h"
#include "training/random_streams.h"
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

TEST_CASE("a share of the pairs is rounded to the nearest whole number of them", "[training]") {
  // By hand: 100 pairs less 29, 57 and 58 of them. As doubles these shares of 100 are a little less or more than whole.
  for (const auto& [share, left] : {std::pair(0.29, 71), std::pair(0.57, 43), std::pair(0.58, 42)}) {
    RunConfig config;
    config.vocab = 10;
    config.holdout_pairs = share;
    const HeldOutPairs held(config);
    int64_t trained = 0;
    for (int64_t first = 0; first < 10; ++first)
      for (int64_t last = 0; last < 10; ++last) trained += !held.holds(std::vector<int64_t>{first, 5, last});
    INFO(share);
    CHECK(trained == left);
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
  config.eval_len = "4,7,188";
  config.eval_size = 50;
  const auto tested = [&](const std::string& policy) {
    config.oob = policy;
    Trainer trainer(config);
    return trainer.test_lengths({4}, nullptr);
  };
  Trainer trainer(config);
  const torch::InferenceMode inference;
  const Dataset test = trainer.data().test_set(7);
  const torch::Tensor clamped =
      trainer.model().forward(test.tokens, torch::tensor({0, 1, 2, 3, 3, 3, 3}).to(torch::kInt64), Dropout());
  CHECK(tested("clamp")[1].cross_entropy == Approx(measured(clamped, test.labels).cross_entropy).epsilon(1e-6));
  // Position i of L is spread to 3 i / (L - 1) of the rows 0 to 3; at L = 188 the rounded quotient times 187 is above 3.
  const torch::Tensor rows = trainer.model().scheme().encoding->rows(torch::arange(4));
  class Spread : public Encoding {
   public:
    explicit Spread(torch::Tensor all) : all_(std::move(all)) {}
    torch::Tensor embed(const torch::Tensor& x, const torch::Tensor&) override { return x + all_; }

   private:
    torch::Tensor all_;
  };
  const std::vector<LengthResult> interpolated = tested("interpolate");
  for (const LengthResult& result : {interpolated[1], interpolated[2]}) {
    const int64_t gaps = result.length - 1;
    std::vector<torch::Tensor> spread;
    for (int64_t i = 0; i <= gaps; ++i) {
      const int64_t below = 3 * i / gaps, above = (3 * i + gaps - 1) / gaps;
      const double share = static_cast<double>(3 * i % gaps) / static_cast<double>(gaps);
      spread.push_back(rows[below] * (1 - share) + rows[above] * share);
    }
    Spread encoding(torch::stack(spread));
    const Dataset longer = trainer.data().test_set(result.length);
    const torch::Tensor logits =
        trainer.model().forward_with(encoding, longer.tokens, torch::arange(result.length), Dropout());
    CHECK(result.cross_entropy == Approx(measured(logits, longer.labels).cross_entropy).epsilon(1e-6));
  }
  config.eval_len = "4,7";
  config.max_len = 7;
  CHECK(tested("untrained")[1].untrained_positions == 3);
}

TEST_CASE("a run of steps takes just so many, whatever the epochs", "[training]") {
  RunConfig config = online("2..6");
  config.train_size = 100;
  config.steps = 25;
  config.log_every = 10;
  Trainer trainer(config);
  for (int round = 0; round < 3; ++round) {
    CHECK_FALSE(trainer.done());
    trainer.train_epoch(nullptr);
  }
  CHECK(trainer.done());
  int64_t sequences = 0, steps = 0;
  for (const int64_t count : trainer.train_labels()) sequences += count;
  for (const LengthSteps& each : trainer.steps_at()) steps += each.steps;
  CHECK(sequences == 25 * 64);  // whole batches, whatever an epoch has
  CHECK(steps == 25);
}

TEST_CASE("steps go through fixed sequences as epochs do, however often they are counted", "[training]") {
  RunConfig config;
  config.seq_len = config.max_len = 4;
  config.train_size = 100;  // two steps, the second of 36 sequences
  config.epochs = 3;
  const RunResult by_epochs = run(config);
  config.steps = 6;
  config.log_every = 3;
  config.epochs = 2;
  const RunResult by_steps = run(config);
  CHECK(by_steps.epochs.back().val_acc == by_epochs.epochs.back().val_acc);
  CHECK(by_steps.epochs.size() == 2);
  // The mean over all sequences is that of the three epochs: rounds have 164 and 136 of them.
  const double all = (by_steps.epochs[0].train_loss * 164 + by_steps.epochs[1].train_loss * 136) / 300;
  double mean = 0;
  for (const EpochResult& epoch : by_epochs.epochs) mean += epoch.train_loss / 3;
  CHECK(all == Approx(mean).epsilon(1e-6));
}

TEST_CASE("a length that no step had is not one of training", "[training]") {
  RunConfig config = online("2..12");
  config.pos = "learnable";
  config.curriculum = "increase:by=1,every=10";
  config.oob = "untrained";
  config.eval_len = "2,4,12,16";
  config.eval_size = 20;
  config.steps = config.log_every = 25;  // ten steps at 2, ten at 3, five at 4
  config.epochs = 1;
  config.max_len = 16;
  const RunResult result = run(config);
  REQUIRE(result.steps_at.size() == 3);
  CHECK(result.steps_at.back().length == 4);
  CHECK(result.steps_at.back().steps == 5);
  std::vector<bool> trained;
  std::vector<int64_t> untrained;
  for (const LengthResult& each : result.lengths) {
    trained.push_back(each.trained);
    untrained.push_back(each.untrained_positions);
  }
  CHECK(trained == std::vector<bool>{true, true, false, false});
  CHECK(untrained == std::vector<int64_t>{0, 0, 8, 12});
  CHECK(trained_on(config, result.steps_at).back() == 4);
  CHECK(trained_on(config, {}).back() == 12);
}

TEST_CASE("under held-out pairs what guessing reaches comes from the test's own labels", "[training]") {
  RunConfig config = online("2..6");
  config.vocab = 2;
  config.holdout_pairs = 0.25;  // one pair, and so one class
  config.pos = "rope";
  config.eval_len = "6,9";
  config.eval_size = 30;
  config.epochs = 1;
  const RunResult result = run(config);
  for (const LengthResult& each : result.lengths) CHECK(each.majority == 1);
  CHECK(result.bounds->majority == 1);
}

TEST_CASE("a bias that is kept from chunk to chunk answers as one that is not", "[training]") {
  for (const char* pos : {"alibi", "t5", "fire", "kerple", "rope+logn", "learnable"}) {
    INFO(pos);
    RunConfig config;
    config.pos = pos;
    config.seq_len = config.max_len = 9;
    config.vocab = 5;
    config.layers = 2;
    Trainer trainer(config);
    const torch::InferenceMode inference;
    AtLength asked(trainer.model(), "error", 9, 9);
    for (const int64_t count : {3, 5}) {  // the second chunk meets what the first left
      at::Generator generator = evaluation_generator(config);
      const torch::Tensor tokens = trainer.validation_set().tokens.narrow(0, 0, count);
      CHECK(torch::equal(asked.logits(tokens, generator), evaluation_logits(trainer.model(), tokens, generator)));
    }
  }
}
