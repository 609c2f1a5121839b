#include "results/metric.h"

#include <cmath>

namespace posenc {
namespace {

std::optional<double> finite(double number) { return std::isfinite(number) ? std::optional(number) : std::nullopt; }

bool finished(const RunRecord& record) {
  return record.result.status == RunResult::Status::finished && !record.result.epochs.empty();
}

}  // namespace

std::optional<double> epochs_to(const RunResult& result, double threshold) {
  for (const EpochResult& epoch : result.epochs)
    if (epoch.val_acc >= threshold) return static_cast<double>(epoch.epoch);
  return std::nullopt;
}

bool succeeded(const RunRecord& record, double threshold) {
  return finished(record) && record.result.last().val_acc >= threshold;
}

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> table = {
      {.name = "val-acc",
       .title = "final validation accuracy",
       .more_is_better = true,
       .bounded = true,
       .digits = 4,
       .of =
           [](const RunRecord& record) {
             return finished(record) ? finite(record.result.last().val_acc) : std::nullopt;
           }},
      {.name = "train-loss",
       .title = "final training loss, nats",
       .more_is_better = false,
       .digits = 4,
       .of =
           [](const RunRecord& record) {
             return finished(record) ? finite(record.result.last().train_loss) : std::nullopt;
           }},
      {.name = "epochs-to-95",
       .title = "epochs to a validation accuracy of 0.95",
       .unit = "epochs",
       .more_is_better = false,
       .censored = true,
       .digits = 1,
       .of = [](const RunRecord& record) { return epochs_to(record.result, kSuccess); }},
      {.name = "score",
       .title = "mean accuracy beyond the trained lengths",
       .more_is_better = true,
       .digits = 4,
       .of = [](const RunRecord& record) { return finished(record) ? length_score(record).score : std::nullopt; }},
      {.name = "seconds",
       .title = "seconds a run took",
       .unit = "s",
       .more_is_better = false,
       .digits = 2,
       .of =
           [](const RunRecord& record) { return finished(record) ? finite(record.execution.seconds) : std::nullopt; }},
  };
  return table;
}

}  // namespace posenc
