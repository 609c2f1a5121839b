#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <cmath>

#include "config/resolve.h"
#include "kernels/dropout_bits.h"
#include "kernels/instruction_set.h"
#include "model/dropout.h"
#include "posenc/run.h"
#include "tools/doctor/checks.h"
#include "tools/doctor/probe.h"
#include "training/trainer.h"

namespace posenc {
namespace {

constexpr const char* kMachine = "this machine";

Check libtorch_check() {
  const BuildInfo build = build_info();
  const std::string cuda = build.cuda_linked ? fmt::format("CUDA linked, {} device(s)", build.cuda_devices) : "no CUDA";
  return measured("libtorch", kMachine, true, fmt::format("{}, {}", build.torch_version, cuda));
}

Check threads_check(const RunConfig& config) {
  const int now = at::get_num_threads();
  return measured("threads", kMachine, now == config.threads,
                  fmt::format("{} inside an operator (must be --threads {})", now, config.threads));
}

Check engine_check(const RunConfig& config) {
  return measured(
      "engine", kMachine, true,
      fmt::format("{} computes; the processor has {}", engine_name(config), kernels::instruction_set_name()));
}

// The masks of a step, drawn in bulk and by torch's own operator, and what the generator gives after them.
Check masks_check(const RunConfig& config) {
  if (config.dropout == 0) return {"masks", kMachine, Check::Outcome::skipped, "--dropout is 0"};
  const int64_t rows = config.batch_size * config.seq_len, columns = config.ffn;
  const auto seed = static_cast<uint64_t>(config.seed);
  at::Generator ours = at::detail::createCPUGenerator(seed), torchs = at::detail::createCPUGenerator(seed);
  const auto words = kernels::words_in_row(static_cast<std::size_t>(columns));
  std::vector<uint32_t> bits(static_cast<std::size_t>(rows) * words);
  Dropout(config.dropout, ours).bits(rows, columns, bits.data());
  const torch::Tensor mask = torch::empty({rows, columns}).bernoulli_(1 - config.dropout, torchs);
  const float* kept = mask.const_data_ptr<float>();
  int64_t different = 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      const uint32_t word = bits[static_cast<std::size_t>(i) * words + static_cast<std::size_t>(j / 32)];
      different += ((word >> (j % 32) & 1) != 0) != (kept[i * columns + j] != 0);
    }
  const bool same_after = torch::equal(torch::rand({3}, ours), torch::rand({3}, torchs));
  return measured(
      "masks", kMachine, different == 0 && same_after,
      fmt::format("{} of {} elements differ from torch's own (must be 0), the generator goes on {}{}", different,
                  rows * columns, same_after ? "alike" : "differently",
                  bulk_masks_equal_torch() ? "" : "; drawn one by one, since this LibTorch draws otherwise"));
}

// The first two losses of the published run with seed 42, as PyTorch 2.11 has them on a CPU.
Check digits_check(const RunConfig& given) {
  constexpr double kLosses[] = {0.69910952, 0.69286090}, kAllowed = 1e-4;
  RunConfig config;
  config.engine = given.engine;
  config.threads = given.threads;
  config.device = "cpu";
  Trainer trainer(config);
  double greatest = 0;
  for (const double loss : kLosses) greatest = std::max(greatest, std::abs(trainer.train_epoch(nullptr) - loss));
  return measured("digits", kMachine, greatest < kAllowed,
                  fmt::format("two epochs of the published run differ from PyTorch's losses by {:.2g} (must be below "
                              "{:.0g})",
                              greatest, kAllowed));
}

Check cuda_check(const RunConfig& given) {
  constexpr double kAllowed = 1e-4;
  if (!torch::cuda::is_available()) return {"cuda", kMachine, Check::Outcome::skipped, "no device answers"};
  RunConfig config = given;
  config.engine = "reference";
  config.dropout = 0;  // a device draws masks of its own
  config.device = "cpu";
  Trainer here(config);
  config.device = "cuda";
  Trainer there(config);
  const double losses[] = {here.train_epoch(nullptr), there.train_epoch(nullptr)};
  const double off = std::abs(losses[0] - losses[1]);
  return measured(
      "cuda", kMachine, off < kAllowed,
      fmt::format("an epoch's loss differs from the CPU's by {:.2g} (must be below {:.0g})", off, kAllowed));
}

}  // namespace

std::vector<Check> machine_checks(const RunConfig& config) {
  return {libtorch_check(),    threads_check(config), engine_check(config),
          masks_check(config), digits_check(config),  cuda_check(config)};
}

}  // namespace posenc
