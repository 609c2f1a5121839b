// How fast a configuration trains on this machine, and where its time goes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

struct BenchPart {
  std::string name;  // "batch", "forward", "backward", "optimizer"
  double seconds;    // of a step
};

struct Bench {
  std::string engine;       // what `config` runs on: "fused, AVX-512", "reference"
  double step_seconds = 0;  // median over groups of steps
  std::vector<BenchPart> parts;
  double mask_seconds = 0;       // of the forward part: drawing dropout masks
  double product_seconds = 0;    // the matrix products of a step alone, each by the faster of two ways
  double product_gflops = 0;     // their speed
  double peak_gflops = 0;        // this core's fused multiply-adds in registers
  double reference_seconds = 0;  // a step by LibTorch's operators
  struct Jobs {
    std::int64_t jobs;
    double steps_per_second;  // of all together
  };
  std::vector<Jobs> jobs;  // 1, 2, 4, ... and `most_jobs`
};

// Takes about ten seconds whatever the configuration, unless a single step takes longer. `config` must have passed
// check(). Throws Error as run() does.
Bench bench(const RunConfig& config, std::int64_t most_jobs);

}  // namespace posenc
