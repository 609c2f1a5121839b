#include "kernels/lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::kernels {
namespace {

// The whole places beside a place among `entries`, and how far it is from the lower one. Outside them, as a NaN is, the
// share is NaN, and so is what is made of it; nothing else is read.
struct Between {
  std::size_t below = 0, above = 0;
  float share = std::numeric_limits<float>::quiet_NaN();

  Between(float place, std::size_t entries) {
    if (!(place >= 0 && place <= static_cast<float>(entries - 1))) return;
    below = static_cast<std::size_t>(place);
    above = below + (place > static_cast<float>(below) ? 1 : 0);
    share = place - static_cast<float>(below);
  }
  float slope(const float* scores) const { return std::isnan(share) ? share : scores[above] - scores[below]; }
};

}  // namespace

void pick_forward(std::size_t count, std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                  const std::int64_t* index, float* out) {
  for (std::size_t block = 0; block < count; ++block) {
    const std::int64_t* at = index;
    for (std::size_t i = 0; i < rows; ++i, scores += entries, out += columns, at += columns)
      for (std::size_t j = 0; j < columns; ++j) out[j] = scores[at[j]];
  }
}

void pick_backward(std::size_t count, std::size_t rows, std::size_t entries, std::size_t columns,
                   const std::int64_t* index, const float* d_out, float* d_scores) {
  std::fill_n(d_scores, count * rows * entries, 0.0f);
  for (std::size_t block = 0; block < count; ++block) {
    const std::int64_t* at = index;
    for (std::size_t i = 0; i < rows; ++i, d_scores += entries, d_out += columns, at += columns)
      for (std::size_t j = 0; j < columns; ++j) d_scores[at[j]] += d_out[j];
  }
}

void interpolate_forward(std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                         const float* places, float* out) {
  for (std::size_t i = 0; i < rows; ++i, scores += entries, places += columns, out += columns)
    for (std::size_t j = 0; j < columns; ++j) {
      const Between at(places[j], entries);
      out[j] = scores[at.above] * at.share + scores[at.below] * (1 - at.share);
    }
}

void interpolate_backward(std::size_t rows, std::size_t entries, std::size_t columns, const float* scores,
                          const float* places, const float* d_out, float* d_scores, float* d_places) {
  std::fill_n(d_scores, rows * entries, 0.0f);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const Between at(places[j], entries);
      d_scores[at.above] += d_out[j] * at.share;
      d_scores[at.below] += d_out[j] * (1 - at.share);
      d_places[j] = d_out[j] * at.slope(scores);
    }
    scores += entries;
    places += columns;
    d_out += columns;
    d_scores += entries;
    d_places += columns;
  }
}

}  // namespace posenc::kernels
