// What a run will take in memory, before it takes it.
#pragma once

#include <cstdint>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

// Bytes of the program, the data, the weights with gradients and Adam's moments, and one training step's activations.
// Within a fifth of what large configurations were seen to take. `config` must have passed check().
double memory_needed(const RunConfig& config, const Catalog& catalog);

// Bytes this process may take: what is free on the machine, or what its control groups leave, whichever is less.
double memory_available();

// Throws Error with both figures and the options that matter when a run on the CPU cannot fit.
void check_memory(const RunConfig& config, const Catalog& catalog);

// Throws Error when the `jobs` largest of runs that need so many bytes each do not fit together.
void check_memory_at_once(std::vector<double> needs, std::int64_t jobs);

// "512 B", "1.3 GB", "7.1e+09 GB"
std::string bytes_text(double bytes);

}  // namespace posenc
