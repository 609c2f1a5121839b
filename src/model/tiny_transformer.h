// TinyTransformer: token embedding, position encoding, encoder layers, pooling over positions, linear classifier.
// Its state dict has the published names: _emb.weight, pos_enc.*, encoder.layers.N.*, classifier.*.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "kernels/head.h"
#include "model/encoder_layer.h"
#include "posenc/wrapper.h"

namespace posenc {

using Pool = kernels::Pooling;

// By its name, as --pool has it.
Pool pool_named(const std::string& name);

struct ModelSizes {
  int64_t vocab, d_model, heads, layers, ffn, classes;
  bool causal = false;
  Pool pool = Pool::mean;
  Norm norm = Norm::post;  // pre: nothing normalises what the last layer puts out
  double norm_eps = 1e-5;
  bool bos = false;  // a learned token, `vocab`, goes in front of every sequence
};

// By its name, as --norm has it.
Norm norm_named(const std::string& name);

class TinyTransformer : public torch::nn::Module {
 public:
  TinyTransformer(const ModelSizes& sizes, PositionScheme scheme);

  // Draws every weight in the published order: token embedding and encoder layers from `shared`, the encoding's own
  // from `own`, the classifier from `shared`. Layers after the first are copies of it, as in PyTorch.
  void reset_parameters(at::Generator& shared, at::Generator& own);

  // How many tokens attention sees of sequences (B,L): L, or with a BOS token L + 1.
  int64_t length_of(const torch::Tensor& tokens) const { return tokens.size(1) + (bos_ ? 1 : 0); }

  // tokens (B,L) int64 in 0..vocab-1, positions (length_of(tokens)) int64 on the CPU, rising -> logits (B,classes)
  torch::Tensor forward(const torch::Tensor& tokens, const torch::Tensor& positions, const Dropout& dropout);

  // The same but for pooling and classifier, without dropout -> (B,length_of(tokens),D)
  torch::Tensor hidden(const torch::Tensor& tokens, const torch::Tensor& positions) {
    return encode(*scheme_.encoding, tokens, positions, Dropout());
  }

  // The same as forward() with another encoding in place of the model's own, as one that watches it.
  torch::Tensor forward_with(Encoding& encoding, const torch::Tensor& tokens, const torch::Tensor& positions,
                             const Dropout& dropout);

  // The mean cross-entropy of labels (B) int64 over the batch ().
  torch::Tensor loss(const torch::Tensor& tokens, const torch::Tensor& labels, const torch::Tensor& positions,
                     const Dropout& dropout);

  // From here on the fused kernels compute what they can in place of LibTorch's operators. For models on the CPU.
  void use_kernels() { workspace_ = std::make_shared<kernels::Workspace>(); }

  const PositionScheme& scheme() const { return scheme_; }

 private:
  // tokens (B,L) -> (B,length_of(tokens),D), of the last layer
  torch::Tensor encode(Encoding& encoding, const torch::Tensor& tokens, const torch::Tensor& positions,
                       const Dropout& dropout);
  torch::Tensor pooled(const torch::Tensor& x) const;  // (B,L,D) -> (B,D)

  Pool pool_;
  bool bos_;
  std::shared_ptr<TokenEmbedding> emb_;
  PositionScheme scheme_;
  std::vector<std::shared_ptr<EncoderLayer>> layers_;
  std::shared_ptr<Linear> classifier_;
  std::shared_ptr<kernels::Workspace> workspace_;  // where the kernels are used
};

}  // namespace posenc
