#include "posenc/run.h"

#include <fmt/format.h>
#include <torch/version.h>

#include <chrono>
#include <cmath>

#include "checkpoint/checkpoint.h"
#include "kernels/instruction_set.h"
#include "posenc/catalog.h"
#include "posenc/error.h"
#include "training/length_test.h"
#include "training/machine.h"
#include "training/trainer.h"

namespace posenc {

namespace {

// Whether they are asked for, whether or not they can.
bool wants_kernels(const RunConfig& config) {
  return config.engine == "fused" || (config.engine == "auto" && config.device == "cpu" && config.threads == 1);
}

}  // namespace

bool uses_kernels(const RunConfig& config) { return wants_kernels(config) && norm_named(config.norm) == Norm::post; }

std::string engine_name(const RunConfig& config) {
  if (uses_kernels(config)) return "fused, " + kernels::instruction_set_name();
  return wants_kernels(config) ? "reference (pre-norm)" : "reference";
}

RunResult run(const RunConfig& config, const RunObserver& observer, const std::string& model_path) {
  const auto begin = std::chrono::steady_clock::now();
  use_threads(config.threads);
  check_machine(config);
  Trainer trainer(config);

  RunResult result;
  result.engine = engine_name(config);
  result.val_labels = trainer.data().validation_labels();
  result.bounds = bounds_of(config, catalog(), result.val_labels);
  const auto record = [&](const EpochResult& epoch) {
    result.epochs.push_back(epoch);
    if (observer.on_epoch) observer.on_epoch(epoch);
  };
  const auto diverge = [&](std::string why) {
    result.status = RunResult::Status::diverged;
    result.message = std::move(why);
  };
  const bool untrained = config.epochs == 0;
  for (std::int64_t epoch = untrained ? 0 : 1; epoch <= config.epochs; ++epoch) {
    const std::string when = fmt::format("{} {}", config.steps > 0 ? "round" : "epoch", epoch);
    const double loss = untrained ? std::nan("") : trainer.train_epoch(observer.stop_requested);
    if (!untrained && !std::isfinite(loss)) {
      diverge(fmt::format("the loss became {} in {}", std::isnan(loss) ? "nan" : "infinite", when));
      record({epoch, std::nan(""), std::nan("")});
      break;
    }
    record({epoch, loss, trainer.validate()});
    if (std::isnan(result.last().val_acc)) {
      diverge(fmt::format("the logits of validation are not finite after {}", when));
      break;
    }
  }
  result.train_labels = trainer.train_labels();
  result.steps_at = trainer.steps_at();
  const auto finished = [&] { return result.status == RunResult::Status::finished; };
  if (const std::string name = finished() ? trainer.weight_not_finite() : ""; !name.empty())
    diverge(fmt::format("{} is not finite after the last step", name));
  if (finished()) {
    result.lengths = trainer.test_lengths(trained_on(config, result.steps_at), observer.stop_requested);
    if (const std::int64_t length = length_without_answer(result.lengths); length > 0) {
      diverge(fmt::format("the logits at length {} are not finite", length));
      result.lengths.clear();
    }
  }
  if (result.steps_at.empty())
    for (LengthResult& each : result.lengths) each.trained = false;
  if (!model_path.empty() && finished()) {
    try {
      save_checkpoint(model_path, trainer.model());
    } catch (const Error& error) {
      result.model_error = error.what();
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

BuildInfo build_info() {
  return {.posenc_version = POSENC_VERSION,
          .git_revision = POSENC_GIT_REVISION,
          .compiler = POSENC_COMPILER,
          .torch_version = TORCH_VERSION,
          .cuda_linked = POSENC_CUDA_LINKED != 0,
          .cuda_devices = static_cast<int>(torch::cuda::device_count())};
}

}  // namespace posenc
