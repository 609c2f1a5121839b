// Model, data, optimizer and random streams of one run, and the loop over its epochs.
#pragma once

#include <memory>

#include "posenc/run.h"
#include "training/dataset.h"
#include "training/evaluation.h"
#include "training/random_streams.h"

namespace posenc {

class Trainer {
 public:
  // Draws weights and data, in that order. Throws Error when the device is not there.
  explicit Trainer(const RunConfig& config);

  // One pass over the training set. Returns the mean loss over its sequences, nan once a loss was.
  // Throws Error(interrupted) when `stop_requested` says so between two steps.
  double train_epoch(const std::function<bool()>& stop_requested);

  double validate();

  TinyTransformer& model() { return *model_; }
  const Dataset& training_set() const { return train_; }
  const Dataset& validation_set() const { return val_; }

 private:
  RunConfig config_;
  torch::Device device_;
  RandomStreams streams_;
  std::shared_ptr<TinyTransformer> model_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
  Dataset train_, val_;
};

}  // namespace posenc
