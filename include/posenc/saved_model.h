// What can be asked of a model that was saved, behind functions that need no torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "posenc/run.h"

namespace posenc {

// The model in `path`, whose training took the steps `steps_at`, on the validation set and the test sets of --eval-len
// that a run of `config` would draw: a result with one epoch, the last, whose loss is nan.
// `config` must have passed check(). Throws Error: usage for no such device or a file that is no model of these sizes,
// failure for weights or logits that are not finite.
RunResult evaluate(const RunConfig& config, const std::string& path, const std::vector<LengthSteps>& steps_at);

struct Prediction {
  std::int64_t label;
  std::vector<double> probabilities;  // one a class
};

class Predictor {
 public:
  // `trained`: the lengths that it was trained on, rising, at least one. Throws as evaluate() does.
  Predictor(const RunConfig& config, const std::string& path, const std::vector<std::int64_t>& trained);
  ~Predictor();

  // `tokens`: at least one, each 0..vocab-1. Positions beyond a table are treated as --oob says. Throws Error for a
  // sequence longer than the encoding or the memory allows.
  Prediction predict(std::span<const std::int64_t> tokens) const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace posenc
