// Model, data, optimizer and random streams of one run, and the loop over its epochs.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "config/schedule_choice.h"
#include "posenc/run.h"
#include "training/dataset.h"
#include "training/evaluation.h"
#include "training/optimizer.h"
#include "training/random_streams.h"
#include "training/run_data.h"

namespace posenc {

// Makes operators choose algorithms whose results do not vary. Must come before CUDA starts; holds for the process.
void make_deterministic();

// The device that `name` means. Throws Error (usage) when it is not there.
torch::Device open_device(const std::string& name);

// The model of `config`, its weights not yet drawn.
std::shared_ptr<TinyTransformer> make_model(const RunConfig& config);

// Seconds spent in the parts of steps.
struct StepTimes {
  double batch = 0, forward = 0, backward = 0, optimizer = 0;
};

class Trainer {
 public:
  // Draws weights and data, in that order. Throws Error when the device is not there.
  explicit Trainer(const RunConfig& config);

  // The steps of one epoch, or under --steps the next --log-every of them. Returns the mean loss over their sequences,
  // nan once a loss was. Throws Error(interrupted) when `stop_requested` says so between two steps.
  double train_epoch(const std::function<bool()>& stop_requested);

  // One step of the optimizer on the training sequences that `batch` (N) int64 numbers. Returns their mean loss ().
  // Adds to `times` unless null.
  torch::Tensor train_step(const torch::Tensor& batch, StepTimes* times = nullptr);

  // The last epoch may end before its time, at --steps.
  bool done() const { return step_ >= steps_of(config_); }

  // Draws the masks of one step and forgets them: for measuring.
  void draw_masks();

  // The share of the validation sequences that are right, whatever their lengths; the curriculum is told.
  double validate();

  // The tests of --eval-len, after training on the lengths in `trained`.
  std::vector<LengthResult> test_lengths(const std::vector<int64_t>& trained,
                                         const std::function<bool()>& stop_requested);

  // The name of a weight that holds a value which is not finite; "" where there is none.
  std::string weight_not_finite() const;

  TinyTransformer& model() { return *model_; }
  torch::Device device() const { return device_; }
  const RunData& data() const { return *data_; }
  // Of --data fixed, and where all are of one length.
  const Dataset& training_set() const { return data_->training_set(); }
  const Dataset& validation_set() const { return data_->validation_sets().front(); }

  // How many sequences of each class were trained on; a fixed set counts once.
  const std::vector<int64_t>& train_labels() const { return train_labels_; }

  // How many steps had each length.
  std::vector<LengthSteps> steps_at() const;

 private:
  torch::Tensor places(int64_t length) const { return places_.narrow(/*dim=*/0, 0, length); }
  torch::Tensor train_on(const Dataset& some, StepTimes* times);
  Dataset next_batch();

  RunConfig config_;
  torch::Device device_;
  RandomStreams streams_;
  Dropout dropout_;
  int64_t step_ = 0;      // of the run, those that were taken
  torch::Tensor places_;  // (L) 0..L-1, L the greatest length that the model sees in training
  std::shared_ptr<TinyTransformer> model_;
  std::unique_ptr<Optimizer> optimizer_;
  ScheduleChoice schedule_;
  std::optional<RunData> data_;  // drawn after the weights
  std::vector<int64_t> train_labels_;
  torch::Tensor order_;  // of the fixed sequences in this pass over them
  int64_t place_ = 0;    // in it
  std::map<int64_t, int64_t> steps_at_;
};

}  // namespace posenc
