// A post-norm encoder layer (Vaswani et al. 2017, as torch.nn.TransformerEncoderLayer) in one pass over a batch,
// forward and backward, a few sequences at a time so that they stay in the first caches. Plain arrays of floats; no
// torch. Notation: B batch, L length, D model width, H heads, d = D / H, F feed-forward width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/dropout_bits.h"

namespace posenc::kernels {

struct LayerSizes {
  std::size_t batch, length, d_model, heads, ffn;
  bool causal = false;
  float score_scale = 1;  // of q.k
  float norm_eps = 1e-5f;

  std::size_t head_width() const { return d_model / heads; }
  std::size_t rows() const { return batch * length; }
};

// Rows that hold a number for each query are as long as the widest vectors make them.
constexpr std::size_t padded(std::size_t length) { return (length + 15) / 16 * 16; }

// Queries of one head that are worked on at once: all of them while their scores stay small.
constexpr std::size_t query_block(std::size_t length) {
  return length <= 128 ? length : std::max<std::size_t>(16, 16384 / length / 16 * 16);
}

// The twelve weights of a layer, with torch's shapes: (outputs,inputs) and (outputs).
template <typename Number>
struct LayerWeights {
  Number *in_weight, *in_bias;                                    // (3D,D), (3D): query, key, value
  Number *out_weight, *out_bias;                                  // (D,D), (D)
  Number *linear1_weight, *linear1_bias;                          // (F,D), (F)
  Number *linear2_weight, *linear2_bias;                          // (D,F), (D)
  Number *norm1_weight, *norm1_bias, *norm2_weight, *norm2_bias;  // (D)
};

// Dropout bits of one step, as draw_bits() writes them, or all null for none. Kept values are multiplied by `factor`.
struct LayerMasks {
  const std::uint32_t* attention = nullptr;  // (B H L) rows of L
  const std::uint32_t* attended = nullptr;   // (L B) rows of D: the order of torch's attention output
  const std::uint32_t* hidden = nullptr;     // (B L) rows of F
  const std::uint32_t* output = nullptr;     // (B L) rows of D
  float factor = 1;
};

// x[c] cos[p][c] + x[partner[c]] sin[p][c] for each head's query and key at place p: a rotation of pairs.
struct Rotation {
  const float *cos = nullptr, *sin = nullptr;  // (L,d)
  const std::int32_t* partner = nullptr;       // (d)
};

// What an encoding does to the scores.
struct ScoreTerms {
  const float* bias = nullptr;  // (H,L,L), or (B,H,L,L) when per_sequence; query by key
  bool per_sequence = false;
  Rotation rotation;
};

// What forward leaves for backward. All null: nothing is kept (evaluation).
struct LayerRecord {
  float* qkv = nullptr;       // (B,L,3D), rotated
  float* log_sums = nullptr;  // (B,H,padded L) of each query: probabilities are computed again rather than kept
  float* context = nullptr;   // (B,L,D)
  float *normed1 = nullptr, *deviation1 = nullptr;  // (B,L,D) before weight and bias, (B,L) 1 / standard deviation
  float* hidden = nullptr;                          // (B,L,F) after relu and dropout
  float *normed2 = nullptr, *deviation2 = nullptr;
};

// Numbers that are needed while a kernel runs, kept from call to call. One thread at a time.
class Workspace {
 public:
  // `count` floats, aligned to 64 bytes, whose contents are anything. Valid until the next call.
  float* floats(std::size_t count);

 private:
  std::vector<float> memory_;
};

// x (B,L,D), and what of the layer was computed elsewhere, if anything: queries, keys and values (B,L,3D), already
// rotated; or the attention's output (B,L,D) before its dropout. The weights that this replaces are not looked at.
struct LayerInput {
  const float* x;
  const float* projected = nullptr;
  const float* attended = nullptr;
};

// Their gradients, each of the same shape and overwritten. dx lacks what comes through the others.
struct LayerInputGradient {
  float* dx;
  float* d_projected = nullptr;
  float* d_attended = nullptr;
};

// -> out (B,L,D)
void layer_forward(const LayerSizes& sizes, const LayerWeights<const float>& weights, const LayerInput& input,
                   const ScoreTerms& terms, const LayerMasks& masks, const LayerRecord& record, float* out,
                   Workspace& workspace);

// From d_out (B,L,D). Gradients of the weights are added to `gradients`; that of the bias, of the bias's shape, is
// written to d_bias unless null. The other arguments must be those of layer_forward().
void layer_backward(const LayerSizes& sizes, const LayerWeights<const float>& weights, const LayerInput& input,
                    const ScoreTerms& terms, const LayerMasks& masks, const LayerRecord& record, const float* d_out,
                    const LayerInputGradient& input_gradient, const LayerWeights<float>& gradients, float* d_bias,
                    Workspace& workspace);

}  // namespace posenc::kernels
