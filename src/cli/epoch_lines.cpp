#include "cli/epoch_lines.h"

#include <cmath>

#include "posenc/bounds.h"
#include "report/json.h"

namespace posenc {
namespace {

std::string four_places(double number) { return std::isnan(number) ? "-" : fmt::format("{:.4f}", number); }

}  // namespace

std::string epoch_line(const RunConfig& config, const EpochResult& epoch) {
  return fmt::format("[{}] Epoch {:2} | Train Loss: {} | Val Acc: {}", config.pos, epoch.epoch,
                     four_places(epoch.train_loss), four_places(epoch.val_acc));
}

std::string epoch_json(const RunConfig& config, const EpochResult& epoch) {
  nlohmann::ordered_json line;
  line["pos"] = config.pos;
  line["epoch"] = epoch.epoch;
  line["train_loss"] = json_number(epoch.train_loss);
  line["val_acc"] = json_number(epoch.val_acc);
  return line.dump();
}

void print_epoch(const RunConfig& config, const EpochResult& epoch, Console& console) {
  const bool due = epoch.epoch % config.log_every == 0 || epoch.epoch == config.epochs || std::isnan(epoch.val_acc);
  if (config.json) {
    console.print("{}", epoch_json(config, epoch));
  } else if (due) {
    console.print("{}", epoch_line(config, epoch));
  }
}

std::string generalisation_note(const RunConfig& config, const RunResult& result) {
  const Bounds bounds = bounds_of(config, catalog());
  const double accuracy = result.last().val_acc;
  if (config.epochs == 0 || std::isnan(accuracy) || accuracy > bounds.guess_upper) return "";
  return fmt::format(
      "{} did not generalise: its validation accuracy {:.4f} is not above what guessing gives on a validation "
      "set of {} ({:.4f} to {:.4f}, 95 %).",
      config.pos, accuracy, config.val_size, bounds.guess_lower, bounds.guess_upper);
}

int judge_accuracy(const RunConfig& config, double accuracy, Console& console) {
  if (!config.expect_val_acc || accuracy >= *config.expect_val_acc) return 0;
  console.say("posenc: error: {}: validation accuracy is below what was expected (reached {}, --expect-val-acc {})",
              config.pos, accuracy, *config.expect_val_acc);
  return 1;
}

int judge(const RunConfig& config, const RunResult& result, Console& console) {
  if (result.status == RunResult::Status::finished) return judge_accuracy(config, result.last().val_acc, console);
  console.say("posenc: error: {}: {}", config.pos, result.message);
  return 1;
}

}  // namespace posenc
