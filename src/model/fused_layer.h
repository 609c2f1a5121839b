// An encoder layer by the fused kernels, as one node of the autograd graph.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "kernels/layer.h"
#include "model/dropout.h"
#include "posenc/encoding.h"

namespace posenc {

// x (B,L,D), and what an encoding made of it. At most one of `projected` and `attended`, as kernels::LayerInput has
// them.
struct FusedLayerInput {
  torch::Tensor x;
  torch::Tensor projected, attended;  // or undefined
  torch::Tensor bias;                 // (H,L,L), (B,H,L,L) or undefined
  Rotation rotation;                  // of what is projected here
};

// -> (B,L,D). `weights` in the order of kernels::LayerWeights. All on the CPU, of floats. Masks are drawn from
// `dropout` in the order of the operators. Gradients of first order only.
torch::Tensor fused_layer(const kernels::LayerSizes& sizes, const FusedLayerInput& input,
                          const std::vector<torch::Tensor>& weights, const Dropout& dropout,
                          const std::shared_ptr<kernels::Workspace>& workspace);

}  // namespace posenc
