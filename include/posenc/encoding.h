// A position encoding: the four hooks through which it touches a transformer, and nothing else.
// Notation: B batch, L length, D model width, H heads, d = D / H head width.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "posenc/catalog.h"

namespace posenc {

struct AttentionInput {
  torch::Tensor x;          // (B,L,D)   the layer's input, under --norm pre normalised
  torch::Tensor q, k;       // (B,H,L,d) after rotate(), not yet divided by sqrt(d)
  torch::Tensor positions;  // (L) int64 on the CPU, rising, not always 0..L-1
  int64_t layer;
};

// A rotation of pairs: x[c] cos[p][c] + x[partner[c]] sin[p][c] for each head's query and key at place p.
struct Rotation {
  torch::Tensor cos, sin;  // (L,d) float
  torch::Tensor partner;   // (d) int32
};

// Every hook does nothing by default. Weights are registered by the constructor and drawn by reset_parameters().
class Encoding : public torch::nn::Module {
 public:
  // (B,L,D) -> (B,L,D), before the first layer: x + rows(positions) unless overridden. `positions` as in
  // AttentionInput, here and below.
  virtual torch::Tensor embed(const torch::Tensor& x, const torch::Tensor& positions);

  // (L,D), what embed() adds to every sequence where that is all it does; undefined where it adds nothing or does more.
  virtual torch::Tensor rows(const torch::Tensor& positions);

  // (B,H,L,d), (B,H,L,d) -> the same shapes.
  virtual std::pair<torch::Tensor, torch::Tensor> rotate(const torch::Tensor& q, const torch::Tensor& k,
                                                         const torch::Tensor& positions, int64_t layer);

  // Added to q.k/sqrt(d) before the mask: (H,L,L), (B,H,L,L) or undefined for none.
  virtual torch::Tensor bias(const AttentionInput& input);

  // (B,H,L,L) attention probabilities after dropout -> (B,H,L,d) added to the attention's output, or undefined.
  virtual torch::Tensor values(const torch::Tensor& probabilities, const torch::Tensor& positions, int64_t layer);

  // What the hooks after embed() look at, in rising order: a promise that lets kernels take over the rest of a layer.
  enum class Reads {
    positions,     // bias() reads positions (and of x, q, k no more than their options); rotate() is rotation()
    content,       // rotate() and bias() may read anything; values() does nothing
    probabilities  // values() too
  };
  virtual Reads reads() const { return Reads::probabilities; }

  // What rotate() does, where it depends on positions alone; undefined tensors where it does nothing.
  virtual Rotation rotation(const torch::Tensor& positions) const;

  // What there is to look at besides the hooks. Undefined where the encoding has no such thing.
  virtual torch::Tensor angles(const torch::Tensor& positions) const;   // (L,d/2 at most) radians of each pair
  virtual torch::Tensor buckets(const torch::Tensor& positions) const;  // (L,L) int64, query by key: rows of a table

  // Parameters that an earlier release saved under another name, in another unit: now = factor was. What reads a file
  // of weights converts them.
  struct FormerTensor {
    std::string was, now;  // without the prefix of the module
    double factor = 1;
  };
  virtual std::vector<FormerTensor> former_tensors() const;

  // Draws the encoding's own weights, layer by layer, from `generator` and from nothing else.
  virtual void reset_parameters(at::Generator& generator);
};

}  // namespace posenc
