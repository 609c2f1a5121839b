// Rows of numbers looked up by a place in them, as relative encodings do it. Plain arrays; no torch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc::kernels {

// For each of `count` blocks of `rows` rows: scores (rows,entries) -> out (rows,columns), out[i][j] =
// scores[i][index[i][j]], with one index (rows,columns) for all blocks.
void pick_forward(std::size_t count, std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                  const std::int64_t* index, float* out);

// d_scores is overwritten.
void pick_backward(std::size_t count, std::size_t rows, std::size_t entries, std::size_t columns,
                   const std::int64_t* index, const float* d_out, float* d_scores);

// For each of `rows` rows: scores (entries), places (columns) in 0..entries-1, not whole -> out (columns), scores
// interpolated between the whole places next to each; NaN at a place outside, as at a place that is NaN.
void interpolate_forward(std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                         const float* places, float* out);

// d_scores and d_places are overwritten. At a whole place the gradient to it is 0, as that of floor and ceil together.
void interpolate_backward(std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                          const float* places, const float* d_out, float* d_scores, float* d_places);

}  // namespace posenc::kernels
