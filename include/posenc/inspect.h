// What an encoding is made of, as numbers: its table, angles, bias and buckets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/grid.h"
#include "posenc/run_config.h"

namespace posenc {

struct Inspection {
  std::vector<std::int64_t> positions;  // (L) that the tokens are said to have
  double score_factor = 1;              // of q.k / sqrt(d)
  std::int64_t parameters = 0;          // trained numbers of the encoding
  // Whichever the encoding has: table (L,D), what it adds to the embeddings; angles (L,pairs) in radians, by which it
  // turns the pairs of queries and keys; bias (H,L,L), query by key, what it adds to the scores; buckets (L,L), the row
  // of its table for each query and key.
  std::vector<Grid> grids;
  std::vector<std::int64_t> tokens;  // (L) that the bias was computed for, where it depends on them; else empty
};

// Builds the encoding of `config` as a run does: its first weights from the seeds, or those saved at `model_path`
// unless that is "". `layer` counts from 0. Where a wrapper draws positions they are those of the first training step.
// A bias that depends on the tokens is that of the run's first training sequence. `config` must have passed check().
// Throws Error: no such layer, a file that is no model or one of other sizes.
Inspection inspect(const RunConfig& config, const std::string& model_path, std::int64_t layer);

}  // namespace posenc
