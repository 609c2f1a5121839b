// Checkpoints: the float32 tensors of a model under their published names, in the file format of Python's torch.save
// (docs/CHECKPOINTS.md). Files are read by a reader of our own that executes nothing.
#pragma once

#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

namespace posenc {

// Writes parameters and buffers in the order of PyTorch's state_dict. `path` is replaced only by a complete file.
// Throws Error (failure) when it cannot be written; then no file is left and an older one is as it was.
void save_checkpoint(const std::string& path, const torch::nn::Module& model);

// Copies the file's values into the parameters and buffers of `model`, wherever they lie. Names and shapes must be
// the model's, or those of an earlier release (Encoding::former_tensors); buffers follow from the configuration and must
// have its values, to 1e-5 + 6e-8 p in row p. Throws Error before anything is copied: usage, whose one line lists every
// name that does not fit; failure where a value is not finite.
void load_checkpoint(const std::string& path, torch::nn::Module& model);

// All tensors of the file by name, in its order, on the CPU. Tensors that share a storage there share it here.
// Throws Error (usage).
std::vector<std::pair<std::string, torch::Tensor>> read_checkpoint(const std::string& path);

}  // namespace posenc
