// Token rows, and pooling with classifier and cross-entropy, by the fused kernels as nodes of the autograd graph.
#pragma once

#include <torch/torch.h>

#include "kernels/head.h"

namespace posenc {

// tokens (B,L) int64, weight (V,D), added (L,D) to every sequence or undefined -> (B,L,D). On the CPU, of floats.
torch::Tensor fused_embedding(const torch::Tensor& tokens, const torch::Tensor& weight, const torch::Tensor& added);

// x (B,L,D), weight (C,D), bias (C), labels (B) int64 -> the mean cross-entropy ()
torch::Tensor fused_loss(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                         const torch::Tensor& labels, kernels::Pooling pooling);

}  // namespace posenc
