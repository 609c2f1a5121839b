// A model's answers, without dropout or gradients. Random numbers are drawn only by a wrapper that evaluates at random
// positions, and from the generator given.
#pragma once

#include "model/tiny_transformer.h"
#include "training/dataset.h"

namespace posenc {

// tokens (B,L) -> logits (B,classes) at the positions that the model's wrapper evaluates under. Where it draws several
// sets of positions, the logarithm of the mean class probability.
torch::Tensor evaluation_logits(TinyTransformer& model, const torch::Tensor& tokens, at::Generator& generator);

// Share of `data` whose most probable class is its label, 0..1. Sequences go through the model `chunk` at a time, each
// chunk with its own draw of positions where they are drawn.
double accuracy(TinyTransformer& model, const Dataset& data, int64_t chunk, at::Generator generator);

}  // namespace posenc
