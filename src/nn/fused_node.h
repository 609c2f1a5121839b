// A node of the autograd graph whose gradients a kernel computes.
#pragma once

#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/torch.h>

#include <vector>

namespace posenc {

// Inputs are other nodes' outputs, and their gradients go on through the graph. The gradients of weights, which are
// leaves, are added to their .grad by the node itself: a node for each of them would take the graph longer than the
// kernel takes. So torch::autograd::grad() does not know the weights; backward() does.
class FusedNode : public torch::autograd::Node {
 public:
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients_in) final {
    TORCH_CHECK(!torch::GradMode::is_enabled(),
                "the fused kernels have first derivatives only (use --engine reference)");
    if (!gradients_in[0].defined()) return torch::autograd::variable_list(num_outputs());
    std::vector<torch::Tensor> inputs;
    for (const auto& variable : saved_) inputs.push_back(variable.unpack());
    const at::AutoDispatchBelowADInplaceOrView below;
    return gradients(gradients_in[0].contiguous(), inputs);
  }

  void release_variables() final {
    saved_.clear();
    release();
  }

  // Makes this the history of `out`, which was computed from `inputs` and `weights`. gradients() is given the inputs
  // again.
  static void connect(FusedNode* node, const std::vector<torch::Tensor>& inputs, std::vector<torch::Tensor> weights,
                      torch::Tensor& out) {
    const std::shared_ptr<Node> shared(node, torch::autograd::deleteNode);
    for (const torch::Tensor& input : inputs) node->saved_.emplace_back(input, /*is_output=*/false);
    node->weights_ = std::move(weights);
    shared->set_next_edges(torch::autograd::collect_next_edges(inputs));
    torch::autograd::set_history(out, shared);
  }

 protected:
  // One gradient for each input, in their order.
  virtual torch::autograd::variable_list gradients(const torch::Tensor& d_out,
                                                   const std::vector<torch::Tensor>& inputs) = 0;
  virtual void release() {}

  const std::vector<torch::Tensor>& weights() const { return weights_; }

  // Where the gradient of a weight is added up, contiguous.
  float* weight_gradient(std::size_t i) {
    torch::Tensor& gradient = weights_[i].mutable_grad();
    if (!gradient.defined()) gradient = torch::zeros_like(weights_[i]);
    TORCH_CHECK(gradient.is_contiguous(), "a gradient of the fused kernels must be contiguous");
    return gradient.mutable_data_ptr<float>();
  }

 private:
  std::vector<torch::autograd::SavedVariable> saved_;
  std::vector<torch::Tensor> weights_;
};

inline bool needs_gradient(const std::vector<torch::Tensor>& inputs, const std::vector<torch::Tensor>& weights) {
  if (!torch::GradMode::is_enabled()) return false;
  for (const auto* tensors : {&inputs, &weights})
    for (const torch::Tensor& tensor : *tensors)
      if (tensor.requires_grad()) return true;
  return false;
}

}  // namespace posenc
