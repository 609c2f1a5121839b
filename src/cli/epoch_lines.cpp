#include "cli/epoch_lines.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "cli/ceilings.h"
#include "config/lengths.h"

namespace posenc {
namespace {

std::string four_places(double number) { return std::isnan(number) ? "-" : fmt::format("{:.4f}", number); }

std::int64_t steps_after(const RunConfig& config, std::int64_t epochs) {
  return std::min(config.steps, epochs * steps_of_round(config));
}

std::string length_line(const RunConfig& config, const std::vector<std::int64_t>& trained, const LengthResult& each) {
  const char* kind = each.trained                   ? "trained length"
                     : each.length > trained.back() ? "longer than trained"
                                                    : "not trained";
  const std::string untrained =
      each.untrained_positions > 0
          ? fmt::format(", {} untrained position{}", each.untrained_positions, each.untrained_positions == 1 ? "" : "s")
          : "";
  const std::string ceiling = each.ceiling && *each.ceiling < 1 ? fmt::format(", ceiling {:.4f}", *each.ceiling) : "";
  return fmt::format("[{}] Length {:4} | Accuracy: {:.4f} | Cross-Entropy: {:.4f} | Calibration Error: {:.4f} | {}{}{}",
                     config.pos, each.length, each.accuracy, each.cross_entropy, each.calibration_error, kind,
                     untrained, ceiling);
}

std::string length_json(const RunConfig& config, const LengthResult& each) {
  nlohmann::ordered_json line{{"pos", config.pos},
                              {"length", each.length},
                              {"size", each.size},
                              {"trained", each.trained},
                              {"accuracy", json_number(each.accuracy)},
                              {"cross_entropy", json_number(each.cross_entropy)},
                              {"calibration_error", json_number(each.calibration_error)},
                              {"margin", json_number(each.margin)},
                              {"untrained_positions", each.untrained_positions},
                              {"majority", json_number(each.majority)},
                              {"ceiling", json_number(each.ceiling)}};
  return line.dump();
}

}  // namespace

void print_lengths(const RunConfig& config, const RunResult& result, Console& console) {
  const std::vector<std::int64_t> trained = trained_on(config, result.steps_at);
  for (const LengthResult& each : result.lengths)
    console.print("{}", config.json ? length_json(config, each) : length_line(config, trained, each));
  if (result.lengths.empty()) return;
  const std::int64_t longest = trained.back();
  const LengthScore score = score_of(result.lengths, longest, result.last().val_acc, config.val_size);
  if (config.json) {
    nlohmann::ordered_json line{{"pos", config.pos}, {"longest_trained", longest}, {"score", json_number(score.score)}};
    line["above_guessing"] = score.learned;
    line["half_accuracy_length"] =
        score.half_accuracy_length ? nlohmann::ordered_json(*score.half_accuracy_length) : nlohmann::ordered_json();
    console.print("{}", line.dump());
    return;
  }
  if (!score.score) return;
  console.print("[{}] Score: {:.4f}, the mean over tested lengths above {}; {}", config.pos, *score.score, longest,
                !score.learned ? "training reached no more than guessing"
                : score.half_accuracy_length
                    ? fmt::format("half of what training reached is lost at length {}", *score.half_accuracy_length)
                    : "half of what training reached is kept at all of them");
}

std::string epoch_line(const RunConfig& config, const EpochResult& epoch) {
  const std::string when = config.steps > 0 ? fmt::format("Step {:4}", steps_after(config, epoch.epoch))
                                            : fmt::format("Epoch {:2}", epoch.epoch);
  return fmt::format("[{}] {} | Train Loss: {} | Val Acc: {}", config.pos, when, four_places(epoch.train_loss),
                     four_places(epoch.val_acc));
}

std::string epoch_json(const RunConfig& config, const EpochResult& epoch) {
  nlohmann::ordered_json line;
  line["pos"] = config.pos;
  line["epoch"] = epoch.epoch;
  if (config.steps > 0) line["step"] = steps_after(config, epoch.epoch);
  line["train_loss"] = json_number(epoch.train_loss);
  line["val_acc"] = json_number(epoch.val_acc);
  return line.dump();
}

void print_epoch(const RunConfig& config, const EpochResult& epoch, Console& console) {
  const bool at_mark = config.steps > 0 || epoch.epoch % config.log_every == 0;
  const bool due = at_mark || epoch.epoch == config.epochs || std::isnan(epoch.val_acc);
  if (config.json) {
    console.print("{}", epoch_json(config, epoch));
  } else if (due) {
    console.print("{}", epoch_line(config, epoch));
  }
}

std::string generalisation_note(const RunConfig& config, const RunResult& result) {
  const auto drawn = std::count_if(result.train_labels.begin(), result.train_labels.end(),
                                   [](std::int64_t count) { return count > 0; });
  if (config.holdout_pairs > 0 && drawn == 1)
    return fmt::format("{} was trained on sequences of one class alone: the pairs that are held out leave no other.",
                       config.pos);
  const Bounds bounds = bounds_of(config, result);
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
