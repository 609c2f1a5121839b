// Pairs of first and last token that training never has, so that memory and rule can be told apart.
#pragma once

#include <torch/torch.h>

#include <span>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

class HeldOutPairs {
 public:
  // None of --holdout-pairs 0. Otherwise held_out_pairs(config) of the V^2 pairs, chosen by --data-seed alone.
  explicit HeldOutPairs(const RunConfig& config);

  bool any() const { return !held_.empty(); }
  bool holds(std::span<const int64_t> tokens) const {
    return any() && held_[static_cast<std::size_t>(tokens.front() * vocab_ + tokens.back())];
  }

 private:
  int64_t vocab_;
  std::vector<bool> held_;  // by first * V + last
};

}  // namespace posenc
