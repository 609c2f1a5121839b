// What encodings make of positions: tables of rows and of distances. Positions are (L) int64 on the CPU and rise.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace posenc {

// (L,L) int64: the key's position minus the query's, D = j - i in row i and column j.
torch::Tensor distances(const torch::Tensor& positions);

// The different distances that occur, rising, and the place of each pair's among them (L,L) int64.
struct DistinctDistances {
  torch::Tensor values;  // (R) int64
  torch::Tensor index;   // (L,L) int64, 0..R-1
};
DistinctDistances distinct_distances(const torch::Tensor& positions);

// positions (N), any numbers -> (N,D) float: sin(p w_k) in column 2k, cos(p w_k) in column 2k+1,
// w_k = 10000^(-2k/D). Vaswani et al. 2017, section 3.5; odd D ends with a sine. Angles are computed in double precision
// and their sines rounded once. Where |p| < 128 angles are single, as PyTorch scripts compute them, so that curves of the
// published experiment keep its script's digits; that is within 1e-5 there, and would be off by up to 6e-8 p beyond.
torch::Tensor sinusoid(const torch::Tensor& positions, int64_t d_model);

}  // namespace posenc
