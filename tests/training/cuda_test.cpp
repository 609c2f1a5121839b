// CPU against CUDA. Without a device every case says so, and CTest counts the test as skipped.
#include "posenc/run.h"
#include "support/torch_catch.h"
#include "training/trainer.h"

using namespace posenc;

namespace {

bool no_device() {
  if (torch::cuda::is_available()) return false;
  WARN("no CUDA device: not tested");
  return true;
}

RunConfig on(const std::string& device, const std::string& pos, double dropout) {
  RunConfig config;
  config.device = device;
  config.pos = pos;
  config.dropout = dropout;
  return config;
}

}  // namespace

TEST_CASE("without dropout CUDA agrees with the CPU step by step over the first epoch", "[cuda]") {
  if (no_device()) return;
  for (const EncodingEntry& entry : catalog().encodings) {
    Trainer cpu(on("cpu", entry.name, 0)), cuda(on("cuda", entry.name, 0));
    double greatest = 0;
    for (const torch::Tensor& batch : torch::arange(cpu.training_set().size()).split(64))
      greatest = std::max(greatest, std::abs(cpu.train_step(batch).item<double>() -
                                             cuda.train_step(batch.to(cuda.device())).item<double>()));
    WARN(entry.name << ": greatest difference of a step's loss in the first epoch: " << greatest);
    CHECK(greatest < 1e-4);
    CHECK(cpu.validate() == Approx(cuda.validate()).margin(0.0125));
  }
}

TEST_CASE("with dropout CUDA starts from the CPU's weights and data", "[cuda]") {
  if (no_device()) return;
  for (const EncodingEntry& entry : catalog().encodings) {
    Trainer cpu(on("cpu", entry.name, 0.1)), cuda(on("cuda", entry.name, 0.1));
    CHECK(torch::equal(cpu.training_set().tokens, cuda.training_set().tokens.cpu()));
    CHECK(torch::equal(cpu.validation_set().labels, cuda.validation_set().labels.cpu()));
    const auto expected = cpu.model().named_parameters();
    for (const auto& parameter : cuda.model().named_parameters())
      CHECK(torch::equal(expected[parameter.key()], parameter.value().cpu()));
  }
}

TEST_CASE("a deterministic CUDA run repeats bit by bit", "[cuda]") {
  if (no_device()) return;
  RunConfig config = on("cuda", "learnable", 0.1);
  config.epochs = 3;
  config.deterministic = true;
  const RunResult first = run(config), second = run(config);
  for (std::size_t i = 0; i < first.epochs.size(); ++i)
    CHECK(first.epochs[i].train_loss == second.epochs[i].train_loss);
}

TEST_CASE("a CUDA run leaves CUDA's global generator alone", "[cuda]") {
  if (no_device()) return;
  const auto state = [] { return at::globalContext().defaultGenerator(torch::Device("cuda:0")).get_state(); };
  RunConfig config = on("cuda", "fixed", 0.1);
  config.epochs = 1;
  const torch::Tensor before = state();
  run(config);
  CHECK(torch::equal(before, state()));
}

TEST_CASE("batch 1,000 is the same on CUDA as on the CPU", "[cuda]") {
  if (no_device()) return;
  RunConfig config = on("cpu", "rope", 0.1);
  config.data = "online";
  const Dataset expected = Trainer(config).data().online_batch(1000);
  config.device = "cuda";
  CHECK(torch::equal(Trainer(config).data().online_batch(1000).to(torch::kCPU).tokens, expected.tokens));
}
