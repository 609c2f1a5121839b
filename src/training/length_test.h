// How a trained model does at lengths that it may never have seen.
#pragma once

#include <functional>

#include "model/tiny_transformer.h"
#include "posenc/run.h"
#include "training/run_data.h"

namespace posenc {

// Accuracy, cross-entropy, calibration error and margin (posenc/run.h) of logits (N,C) for labels (N).
// All of them are nan where a logit is not finite.
LengthResult measured(const torch::Tensor& logits, const torch::Tensor& labels);

// The first length whose test was answered by logits that are not finite; 0 where there is none.
int64_t length_without_answer(const std::vector<LengthResult>& lengths);

// Tests `model`, which was trained on the lengths in `trained` (rising, at least one), on each length of --eval-len, in
// chunks whose activations stay within half a gigabyte or so. Positions that the encoding was not trained for are
// treated as --oob says. Throws Error(interrupted) when `stop_requested` says so between two chunks.
std::vector<LengthResult> test_lengths(TinyTransformer& model, const RunData& data, const RunConfig& config,
                                       const std::vector<int64_t>& trained, torch::Device device,
                                       const std::function<bool()>& stop_requested);

}  // namespace posenc
