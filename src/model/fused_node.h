// A node of the autograd graph whose gradients a kernel computes.
#pragma once

#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/torch.h>

#include <vector>

namespace posenc {

class FusedNode : public torch::autograd::Node {
 public:
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients_in) final {
    TORCH_CHECK(!torch::GradMode::is_enabled(),
                "the fused kernels have first derivatives only (use --engine reference)");
    if (!gradients_in[0].defined()) return torch::autograd::variable_list(num_outputs());
    std::vector<torch::Tensor> saved;
    for (const auto& variable : saved_) saved.push_back(variable.unpack());
    const at::AutoDispatchBelowADInplaceOrView below;
    return gradients(gradients_in[0].contiguous(), std::move(saved));
  }

  void release_variables() final {
    saved_.clear();
    release();
  }

 protected:
  // Keeps tensors for the backward pass, which is given them in this order.
  void save(const std::vector<torch::Tensor>& tensors) {
    for (const torch::Tensor& tensor : tensors) saved_.emplace_back(tensor, /*is_output=*/false);
  }

  // One gradient for each input of connect(), undefined where there is none.
  virtual torch::autograd::variable_list gradients(const torch::Tensor& d_out, std::vector<torch::Tensor> saved) = 0;
  virtual void release() {}

 private:
  std::vector<torch::autograd::SavedVariable> saved_;
};

inline bool needs_gradient(const std::vector<torch::Tensor>& inputs) {
  if (!torch::GradMode::is_enabled()) return false;
  for (const torch::Tensor& input : inputs)
    if (input.requires_grad()) return true;
  return false;
}

// Makes `node` the history of `out`, which it computed from `inputs`.
inline void connect(FusedNode* node, const std::vector<torch::Tensor>& inputs, torch::Tensor& out) {
  const std::shared_ptr<torch::autograd::Node> shared(node, torch::autograd::deleteNode);
  shared->set_next_edges(torch::autograd::collect_next_edges(inputs));
  torch::autograd::set_history(out, shared);
}

}  // namespace posenc
