// Results as CSV (RFC 4180): numbers at full precision, columns named as the options in snake_case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/record.h"

namespace posenc {

// A field, quoted where it must be. A text that a spreadsheet would run as a formula gets a leading quote mark.
std::string csv_field(std::string_view text);

// One row a run: run_id, every identity field, status, message, final_train_loss, final_val_acc, best_val_acc,
// epochs_to_95 (the first epoch whose accuracy is at least 0.95), score and half_accuracy_length (of --eval-len),
// majority, guess_lower, guess_upper, ceiling and ceiling_reason (posenc/bounds.h), train_labels and val_labels (how
// many sequences of each class, as "205 195"), seconds. What a run does not have is empty.
std::string runs_csv(const std::vector<const RunRecord*>& records);

// One row a tested length: run_id, length, size, trained (one of the lengths of training), accuracy, cross_entropy,
// calibration_error, margin, untrained_positions, majority, ceiling (posenc/run.h).
std::string lengths_csv(const std::vector<const RunRecord*>& records);

// One row an epoch: run_id, epoch, train_loss, val_acc.
std::string epochs_csv(const std::vector<const RunRecord*>& records);

}  // namespace posenc
