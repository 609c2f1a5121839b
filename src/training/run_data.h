// The sequences of a run: what each step trains on, and what validates and tests it.
#pragma once

#include <memory>
#include <vector>

#include "config/lengths.h"
#include "curricula/curriculum.h"
#include "posenc/run_config.h"
#include "training/dataset.h"
#include "training/held_out_pairs.h"

namespace posenc {

class RunData {
 public:
  // Draws the training set, if it is fixed, and the validation set from `stream`. Sets live on `device`.
  RunData(const RunConfig& config, at::Generator& stream, torch::Device device);

  int64_t classes() const { return task_->classes(); }

  // --data fixed: drawn once.
  bool fixed() const { return config_.data != "online"; }
  const Dataset& training_set() const { return train_; }

  // --data online: the batch of step `step` (from 0), on the CPU. A function of --data-seed, the step, and what the
  // curriculum has been told of validation; no other draw changes it.
  Dataset online_batch(int64_t step) const;

  // Whether online batches depend on how training goes.
  bool follows_validation() const { return curriculum_->follows_validation(); }

  // --val-size sequences, spread evenly over the trained lengths: one set a length, the shortest first, none empty.
  const std::vector<Dataset>& validation_sets() const { return validation_; }

  // Tells the curriculum the accuracy on each validation set.
  void validated(const std::vector<double>& accuracies);

  // --eval-size sequences of `length`: a function of --data-seed and the length, so the same for every encoding.
  Dataset test_set(int64_t length) const;

  // How many sequences of each class a set has.
  std::vector<int64_t> validation_labels() const;

 private:
  Dataset draw(int64_t count, int64_t length, bool held_out, at::Generator& generator) const;

  RunConfig config_;
  std::unique_ptr<Task> task_;
  LengthRange lengths_;
  std::unique_ptr<Curriculum> curriculum_;
  HeldOutPairs pairs_;
  Dataset train_;
  std::vector<Dataset> validation_;
};

}  // namespace posenc
