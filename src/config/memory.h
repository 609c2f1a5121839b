// What a run will take in memory, before it takes it.
#pragma once

#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

// Bytes of the data, of the weights with gradients and Adam's moments, and of one training step's activations.
// A lower bound that is close for large configurations. `config` must have passed check().
double memory_needed(const RunConfig& config, const Catalog& catalog);

// Bytes this process may use: the machine's memory or its control group's limit, whichever is less.
double memory_available();

// Throws Error with both figures when a run on the CPU cannot fit.
void check_memory(const RunConfig& config, const Catalog& catalog);

// "512 B", "1.3 GB", "7.1e+09 GB"
std::string bytes_text(double bytes);

}  // namespace posenc
