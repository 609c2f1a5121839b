// The checks of posenc doctor, by what they look at. Each returns what it measured; none throws for a bad result.
#pragma once

#include <torch/torch.h>

#include "posenc/catalog.h"
#include "posenc/doctor.h"
#include "posenc/run_config.h"

namespace posenc {

Check measured(std::string name, std::string subject, bool good, std::string figure);

// Symmetries, shift and causality of a model with the encoding of `config`, against what `entry` claims of it and
// `symmetry` says of its parameters; in double precision.
std::vector<Check> order_checks(const RunConfig& config, const EncodingEntry& entry, Symmetry symmetry);

// That evaluation repeats itself, that gradients are there, are those of finite differences, and are the kernels', and
// that paired seeding gives the same weights and data as `other` encoding.
std::vector<Check> training_checks(const RunConfig& config, const std::string& other);

// Labels of `config`'s task against the entry's definition, and the shares of its classes against their exact rates.
std::vector<Check> task_checks(const RunConfig& config, const TaskEntry& entry, const Parameters& parameters);

// LibTorch, threads, kernels, dropout masks, the published digits, and CUDA beside the CPU.
std::vector<Check> machine_checks(const RunConfig& config);

}  // namespace posenc
