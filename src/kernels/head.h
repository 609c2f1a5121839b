// The two ends of a TinyTransformer: token rows, and pooling with classifier and cross-entropy. Plain arrays; no torch.
// Notation as in layer.h; C classes, V tokens.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc::kernels {

struct EmbeddingSizes {
  std::size_t batch, length, d_model;
};

// tokens (B,L) in 0..V-1, weight (V,D), added (L,D) or null: to every sequence -> out (B,L,D)
void embedding_forward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* weight, const float* added,
                       float* out);

// d_weight (V,D) += the rows of d_out (B,L,D), each at its token; d_added (L,D), unless null, = their sum over the
// batch.
void embedding_backward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* d_out, float* d_weight,
                        float* d_added);

enum class Pooling { mean, first, last, max };

struct HeadSizes {
  std::size_t batch, length, d_model, classes;
  Pooling pooling = Pooling::mean;
};

// x (B,L,D), weight (C,D), bias (C) -> pooled (B,D), logits (B,C)
void head_logits(const HeadSizes& sizes, const float* x, const float* weight, const float* bias, float* pooled,
                 float* logits);

// The mean of -ln softmax(logits)[label] over the batch. probabilities (B,C) are kept for head_backward().
float head_loss(const HeadSizes& sizes, const float* logits, const std::int64_t* labels, float* probabilities);

// Gradient of the loss times `scale`: dx (B,L,D) is overwritten, d_weight (C,D) and d_bias (C) are added to. Under
// Pooling::max a gradient is shared by the places that reach the maximum, as torch's amax does.
void head_backward(const HeadSizes& sizes, const float* x, const float* weight, const float* pooled,
                   const float* probabilities, const std::int64_t* labels, float scale, float* dx, float* d_weight,
                   float* d_bias);

}  // namespace posenc::kernels
