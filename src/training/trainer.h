// Model, data, optimizer and random streams of one run, and the loop over its epochs.
#pragma once

#include <memory>

#include "posenc/run.h"
#include "training/dataset.h"
#include "training/evaluation.h"
#include "training/optimizer.h"
#include "training/random_streams.h"
#include "training/schedule.h"

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

  // One pass over the training set. Returns the mean loss over its sequences, nan once a loss was.
  // Throws Error(interrupted) when `stop_requested` says so between two steps.
  double train_epoch(const std::function<bool()>& stop_requested);

  // One step of the optimizer on the training sequences that `batch` (N) int64 numbers. Returns their mean loss ().
  // Adds to `times` unless null.
  torch::Tensor train_step(const torch::Tensor& batch, StepTimes* times = nullptr);

  // Draws the masks of one step and forgets them: for measuring.
  void draw_masks();

  double validate();

  TinyTransformer& model() { return *model_; }
  torch::Device device() const { return device_; }
  std::int64_t classes() const { return classes_; }
  const Dataset& training_set() const { return train_; }
  const Dataset& validation_set() const { return val_; }

 private:
  RunConfig config_;
  torch::Device device_;
  RandomStreams streams_;
  Dropout dropout_;
  torch::Tensor places_;  // 0..L-1, L the length that the model sees
  std::shared_ptr<TinyTransformer> model_;
  std::unique_ptr<Optimizer> optimizer_;
  Schedule schedule_;
  std::int64_t steps_done_ = 0;
  std::int64_t classes_;
  Dataset train_, val_;
};

}  // namespace posenc
