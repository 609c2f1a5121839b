// The tensors of a module as PyTorch's state_dict orders them.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

namespace posenc {

struct NamedTensor {
  std::string name;
  torch::Tensor tensor;  // the module's own, not a copy
  bool is_buffer;
};

// Own parameters, own buffers, then the children's, in the order in which they were registered.
std::vector<NamedTensor> state_dict(const torch::nn::Module& module);

}  // namespace posenc
