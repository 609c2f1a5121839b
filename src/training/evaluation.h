// A model's answers, without dropout or gradients. Random numbers are drawn only by a wrapper that evaluates at random
// positions, and from the generator given.
#pragma once

#include "model/tiny_transformer.h"
#include "posenc/run_config.h"
#include "training/dataset.h"

namespace posenc {

// tokens (B,L) -> logits (B,classes) at the positions that the model's wrapper evaluates under. Where it draws several
// sets of positions, the logarithm of the mean class probability.
torch::Tensor evaluation_logits(TinyTransformer& model, const torch::Tensor& tokens, at::Generator& generator);

// The same with `encoding` in place of the model's own, at the sets of positions in `draws`.
torch::Tensor evaluation_logits(TinyTransformer& model, Encoding& encoding, const torch::Tensor& tokens,
                                const std::vector<torch::Tensor>& draws);

// How many sequences, at least 1 and at most `most`, keep what a forward pass holds within `floats` numbers. `length`
// is what the model sees of each.
int64_t sequences_within(const RunConfig& config, int64_t length, int64_t floats, int64_t most);

// Share of `data` whose most probable class is its label, 0..1; nan where a logit is not finite, since then there is no
// answer. Sequences go through the model `chunk` at a time, each chunk with its own draw of positions where they are
// drawn.
double accuracy(TinyTransformer& model, const Dataset& data, int64_t chunk, at::Generator generator);

}  // namespace posenc
