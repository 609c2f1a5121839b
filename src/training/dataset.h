// Sequences of a task with their labels.
#pragma once

#include <torch/torch.h>

#include <functional>

#include "posenc/task.h"

namespace posenc {

struct Dataset {
  torch::Tensor tokens;  // (N,L) int64
  torch::Tensor labels;  // (N) int64

  int64_t size() const { return tokens.size(0); }
  int64_t length() const { return tokens.size(1); }
  // Those that `which` (N) int64 numbers.
  Dataset rows(const torch::Tensor& which) const;
  // How many sequences each of `classes` classes has.
  std::vector<int64_t> class_counts(int64_t classes) const;
  Dataset to(torch::Device device) const { return {tokens.to(device), labels.to(device)}; }
};

// Draws `count` sequences of `length` tokens 0..vocab-1. A uniform task draws what torch.randint would.
Dataset draw_dataset(const Task& task, int64_t count, int64_t length, int64_t vocab, at::Generator& generator);

// The same of sequences that `wanted` accepts, by drawing until it does. Throws Error where it accepts none of a
// million.
Dataset draw_dataset(const Task& task, int64_t count, int64_t length, int64_t vocab, at::Generator& generator,
                     const std::function<bool(std::span<const int64_t>)>& wanted);

}  // namespace posenc
