#include "posenc/run.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <chrono>
#include <cmath>

#include "training/trainer.h"

namespace posenc {

RunResult run(const RunConfig& config, const RunObserver& observer) {
  const auto begin = std::chrono::steady_clock::now();
  at::set_num_threads(static_cast<int>(config.threads));  // holds for the calling thread alone
  Trainer trainer(config);

  RunResult result;
  const auto record = [&](const EpochResult& epoch) {
    result.epochs.push_back(epoch);
    if (observer.on_epoch) observer.on_epoch(epoch);
  };
  if (config.epochs == 0) record({0, std::nan(""), trainer.validate()});
  for (std::int64_t epoch = 1; epoch <= config.epochs; ++epoch) {
    const double loss = trainer.train_epoch(observer.stop_requested);
    if (!std::isfinite(loss)) {
      result.status = RunResult::Status::diverged;
      result.message = fmt::format("the loss became {} in epoch {}", loss, epoch);
      record({epoch, std::nan(""), std::nan("")});
      break;
    }
    record({epoch, loss, trainer.validate()});
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

BuildInfo build_info() {
  return {.torch_version = TORCH_VERSION,
          .cuda_linked = POSENC_CUDA_LINKED != 0,
          .cuda_devices = static_cast<int>(torch::cuda::device_count())};
}

}  // namespace posenc
