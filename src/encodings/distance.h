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
// w_k = 10000^(-2k/D). Vaswani et al. 2017, section 3.5; odd D ends with a sine.
torch::Tensor sinusoid(const torch::Tensor& positions, int64_t d_model);

}  // namespace posenc
