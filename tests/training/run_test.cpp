#include "posenc/run.h"

#include <cmath>
#include <thread>

#include "posenc/error.h"
#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;

namespace {

RunConfig small(const std::string& pos = "learnable") {
  RunConfig config;
  config.pos = pos;
  config.epochs = 2;
  config.train_size = 300;
  config.val_size = 50;
  return config;
}

bool same(const RunResult& a, const RunResult& b) {
  if (a.epochs.size() != b.epochs.size()) return false;
  for (std::size_t i = 0; i < a.epochs.size(); ++i)
    if (a.epochs[i].train_loss != b.epochs[i].train_loss || a.epochs[i].val_acc != b.epochs[i].val_acc) return false;
  return true;
}

}  // namespace

TEST_CASE("a run does not depend on the global generator and leaves it alone", "[training]") {
  torch::manual_seed(1);
  const RunResult first = run(small());
  torch::manual_seed(999);
  const torch::Tensor before = at::globalContext().defaultGenerator(torch::kCPU).get_state();
  const RunResult second = run(small());
  CHECK(torch::equal(at::globalContext().defaultGenerator(torch::kCPU).get_state(), before));
  CHECK(same(first, second));
}

TEST_CASE("runs on several threads are bit-identical to serial ones", "[training]") {
  const RunResult learnable = run(small()), fixed = run(small("fixed"));
  RunResult a, b, c;
  std::thread one([&] { a = run(small()); }), two([&] { b = run(small("fixed")); });
  std::thread three([&] {
    torch::manual_seed(5);
    for (int i = 0; i < 200; ++i) torch::rand({100});
    c = run(small());
  });
  one.join();
  two.join();
  three.join();
  CHECK(same(a, learnable));
  CHECK(same(b, fixed));
  CHECK(same(c, learnable));
}

TEST_CASE("another seed is another run", "[training]") {
  RunConfig other = small();
  other.seed = 43;
  CHECK_FALSE(same(run(small()), run(other)));
}

TEST_CASE("scores far below zero, where a gate is 0, are trained through", "[training]") {
  for (const char* engine : {"fused", "reference"}) {
    INFO(engine);
    RunConfig config;
    config.pos = "cope";
    config.engine = engine;
    config.causal = true;
    config.d_model = 16;
    config.heads = 1;
    config.lr = 0.1;  // scores reach -178 in the fifth epoch
    config.dropout = 0;
    config.epochs = 6;
    config.train_size = 500;
    config.seed = 3;
    const RunResult result = run(config);
    REQUIRE(result.epochs.size() == 6);
    CHECK(std::isfinite(result.last().train_loss));
  }
}

TEST_CASE("a run without epochs validates the untrained model", "[training]") {
  RunConfig config = small();
  config.epochs = 0;
  const RunResult result = run(config);
  REQUIRE(result.epochs.size() == 1);
  CHECK(result.last().epoch == 0);
  CHECK(std::isnan(result.last().train_loss));
  CHECK((result.last().val_acc >= 0 && result.last().val_acc <= 1));
}

TEST_CASE("sizes at the edge of what is allowed train", "[training]") {
  RunConfig config = small();
  config.seq_len = config.max_len = 2;
  config.d_model = config.heads = config.ffn = 1;
  config.vocab = 2;
  config.train_size = config.val_size = 1;
  CHECK(std::isfinite(run(config).last().train_loss));
  config.d_model = 7;  // odd
  config.batch_size = 2147483647;
  for (const char* pos : {"learnable", "fixed"}) {
    config.pos = pos;
    CHECK(std::isfinite(run(config).last().train_loss));
  }
}

TEST_CASE("a batch larger than the data is one batch", "[training]") {
  RunConfig whole = small(), larger = small();
  whole.batch_size = whole.train_size;
  larger.batch_size = 10 * whole.train_size;
  CHECK(same(run(whole), run(larger)));
}

TEST_CASE("a loss that is not finite ends the run and says at which epoch", "[training]") {
  RunConfig config = small();
  config.epochs = 5;
  // Weights this large overflow the squared norm of the first layer normalisation.
  config.pos = "learnable:std=100";
  config.lr = 10;
  Trainer trainer(config);
  {
    const torch::NoGradGuard no_grad;
    trainer.model().named_parameters()["classifier.bias"].fill_(std::nan(""));
  }
  CHECK(std::isnan(trainer.train_epoch(nullptr)));
}

TEST_CASE("a run stops between two steps when asked to", "[training]") {
  int asked = 0;
  RunObserver observer;
  observer.stop_requested = [&] { return ++asked == 3; };
  try {
    run(small(), observer);
    FAIL("the run went on");
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::interrupted);
    CHECK(asked == 3);
  }
}

TEST_CASE("a device that is not there is a usage error", "[training]") {
  RunConfig config = small();
  config.device = "cuda:99";
  CHECK_THROWS_WITH(run(config), StartsWith("--device: no such CUDA device (given cuda:99"));
}

TEST_CASE("the engine is named in the result, and auto means the kernels on one thread of a CPU", "[training]") {
  RunConfig config;
  config.train_size = config.val_size = 10;
  config.epochs = 1;
  CHECK_THAT(run(config).engine, StartsWith("fused, "));
  config.threads = 2;
  CHECK(run(config).engine == "reference");
  config.engine = "fused";
  CHECK_THAT(run(config).engine, StartsWith("fused, "));
  config.threads = 1;
  config.engine = "reference";
  CHECK(run(config).engine == "reference");
}
