// What can be asked of a model that was saved, behind functions that need no torch header.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "posenc/run.h"

namespace posenc {

// Accuracy (0..1) of the model in `path` on the validation set that a run of `config` would draw.
// `config` must have passed check(). Throws Error (usage): no such device, a file that is no model of these sizes.
double evaluate(const RunConfig& config, const std::string& path);

// The same model, which was trained on the lengths in `trained` (rising, at least one), on the test sets of --eval-len
// that a run of `config` would draw.
std::vector<LengthResult> test_lengths(const RunConfig& config, const std::string& path,
                                       const std::vector<std::int64_t>& trained);

struct Prediction {
  std::int64_t label;
  std::vector<double> probabilities;  // one a class
};

class Predictor {
 public:
  // `trained`: as above. Throws as evaluate() does.
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
