// Lookups of relative encodings. Floats on the CPU take a kernel, as one node of the autograd graph; anything else
// LibTorch's operators, whose gradients are slower by far at these sizes.
#pragma once

#include <torch/torch.h>

namespace posenc {

// scores (B,H,L,R), index (L,L) int64 on the CPU -> (B,H,L,L): for query i and key j the score of row i at index[i][j].
torch::Tensor pick(const torch::Tensor& scores, const torch::Tensor& index);

// scores (B,H,L,R), places (B,H,L,L) in 0..R-1 -> (B,H,L,L): row i's scores interpolated between the whole places
// beside places[i][j]; NaN at a place outside 0..R-1.
torch::Tensor interpolate(const torch::Tensor& scores, const torch::Tensor& places);

// scores (B,H,L,L), query by key -> the same: min(sum_(t=j..i) sigmoid(scores[i][t]), most) for keys up to the query, 0
// for later ones.
torch::Tensor count_gates(const torch::Tensor& scores, double most);

}  // namespace posenc
