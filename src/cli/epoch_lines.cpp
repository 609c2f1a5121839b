#include "cli/epoch_lines.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/signals.h"
#include "posenc/task.h"
#include "report/statistics.h"

namespace posenc {
namespace {

std::string four_places(double number) { return std::isnan(number) ? "-" : fmt::format("{:.4f}", number); }

nlohmann::ordered_json number_or_null(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string epoch_line(const RunConfig& config, const EpochResult& epoch) {
  return fmt::format("[{}] Epoch {:2} | Train Loss: {} | Val Acc: {}", config.pos, epoch.epoch,
                     four_places(epoch.train_loss), four_places(epoch.val_acc));
}

std::string epoch_json(const RunConfig& config, const EpochResult& epoch) {
  nlohmann::ordered_json line;
  line["pos"] = config.pos;
  line["epoch"] = epoch.epoch;
  line["train_loss"] = number_or_null(epoch.train_loss);
  line["val_acc"] = number_or_null(epoch.val_acc);
  return line.dump();
}

RunResult run_and_print(const RunConfig& config, Console& console) {
  RunObserver observer;
  observer.stop_requested = stop_requested;
  observer.on_epoch = [&](const EpochResult& epoch) {
    const bool due = epoch.epoch % config.log_every == 0 || epoch.epoch == config.epochs || std::isnan(epoch.val_acc);
    if (config.json) {
      console.print("{}", epoch_json(config, epoch));
    } else if (due) {
      console.print("{}", epoch_line(config, epoch));
    }
  };
  return run(config, observer);
}

std::string generalisation_note(const RunConfig& config, const RunResult& result) {
  const double rate = make_task(config.task)->majority_rate(config.seq_len, config.vocab);
  const Interval band = guessing_band(config.val_size, rate);
  const double accuracy = result.last().val_acc;
  if (std::isnan(accuracy) || accuracy > band.upper) return "";
  return fmt::format(
      "{} did not generalise: its validation accuracy {:.4f} is not above what guessing gives on {} sequences "
      "({:.4f} to {:.4f}, 95 %).",
      config.pos, accuracy, config.val_size, band.lower, band.upper);
}

int judge(const RunConfig& config, const RunResult& result, Console& console) {
  if (result.status == RunResult::Status::diverged) {
    console.say("posenc: error: {}: {}", config.pos, result.message);
    return 1;
  }
  if (config.expect_val_acc && result.last().val_acc < *config.expect_val_acc) {
    console.say(
        "posenc: error: {}: final validation accuracy is below what was expected (reached {}, --expect-val-acc {})",
        config.pos, result.last().val_acc, *config.expect_val_acc);
    return 1;
  }
  return 0;
}

}  // namespace posenc
