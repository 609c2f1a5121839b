#include "checkpoint/state_dict.h"

namespace posenc {
namespace {

void append(const torch::nn::Module& module, const std::string& prefix, std::vector<NamedTensor>& all) {
  for (const auto& item : module.named_parameters(/*recurse=*/false))
    all.push_back({prefix + item.key(), item.value(), false});
  for (const auto& item : module.named_buffers(/*recurse=*/false))
    all.push_back({prefix + item.key(), item.value(), true});
  for (const auto& item : module.named_children()) append(*item.value(), prefix + item.key() + ".", all);
}

}  // namespace

std::vector<NamedTensor> state_dict(const torch::nn::Module& module) {
  std::vector<NamedTensor> all;
  append(module, "", all);
  return all;
}

}  // namespace posenc
