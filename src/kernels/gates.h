// Positions that count gates back from the query (CoPE). Plain arrays; no torch.
#pragma once

#include <cstddef>

namespace posenc::kernels {

// For each of `count` squares of (length,length) scores, query by key: gates = sigmoid(scores) for keys up to the
// query, and places[i][j] = min(sum of gates[i][j..i], most), 0 for later keys. gates are kept for the backward pass.
void count_gates_forward(std::size_t count, std::size_t length, float most, const float* scores, float* gates,
                         float* places);

// d_places -> d_scores, overwritten.
void count_gates_backward(std::size_t count, std::size_t length, float most, const float* gates, const float* places,
                          const float* d_places, float* d_scores);

}  // namespace posenc::kernels
