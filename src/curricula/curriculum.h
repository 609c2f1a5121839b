// Which length a training step has, where a run trains on several.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "config/lengths.h"

namespace posenc {

class Curriculum {
 public:
  virtual ~Curriculum() = default;

  // The length of step `step` (from 0). `uniform` draws a number in [0, 1), of this step alone.
  virtual std::int64_t length(std::int64_t step, const std::function<double()>& uniform) const = 0;

  // Called after each validation with the accuracy at every trained length, the shortest first; nan where none was
  // validated.
  virtual void validated(const std::vector<double>& /*accuracies*/) {}

  // Whether a length depends on what validated() was told, and so on the model that is trained.
  virtual bool follows_validation() const { return false; }
};

}  // namespace posenc
