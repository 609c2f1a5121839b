#include "model/tiny_transformer.h"

#include "model/fused_ends.h"

namespace posenc {

using torch::Tensor;

Pool pool_named(const std::string& name) {
  constexpr std::pair<std::string_view, Pool> kPools[] = {
      {"first", Pool::first}, {"last", Pool::last}, {"max", Pool::max}};
  for (const auto& [known, pool] : kPools)
    if (name == known) return pool;
  return Pool::mean;
}

Norm norm_named(const std::string& name) { return name == "pre" ? Norm::pre : Norm::post; }

TinyTransformer::TinyTransformer(const ModelSizes& sizes, PositionScheme scheme)
    : pool_(sizes.pool),
      bos_(sizes.bos),
      emb_(register_module("_emb", std::make_shared<TokenEmbedding>(sizes.vocab + (sizes.bos ? 1 : 0), sizes.d_model))),
      scheme_(std::move(scheme)) {
  register_module("pos_enc", scheme_.encoding);
  torch::nn::ModuleList list;
  for (int64_t i = 0; i < sizes.layers; ++i) {
    layers_.push_back(std::make_shared<EncoderLayer>(sizes.d_model, sizes.heads, sizes.ffn, sizes.causal, sizes.norm,
                                                     sizes.norm_eps));
    list->push_back(layers_.back());
  }
  const auto encoder = std::make_shared<torch::nn::Module>("encoder");
  encoder->register_module("layers", list.ptr());
  register_module("encoder", encoder);
  classifier_ = register_module("classifier", std::make_shared<Linear>(sizes.d_model, sizes.classes));
}

void TinyTransformer::reset_parameters(at::Generator& shared, at::Generator& own) {
  const torch::NoGradGuard no_grad;
  emb_->reset_parameters(shared);
  scheme_.encoding->reset_parameters(own);
  layers_.front()->reset_parameters(shared);
  const auto first = layers_.front()->parameters();
  for (std::size_t i = 1; i < layers_.size(); ++i) {
    const auto copies = layers_[i]->parameters();
    for (std::size_t j = 0; j < first.size(); ++j) copies[j].copy_(first[j]);
  }
  classifier_->reset_parameters(shared);
}

Tensor TinyTransformer::forward(const Tensor& tokens, const Tensor& positions, const Dropout& dropout) {
  return forward_with(*scheme_.encoding, tokens, positions, dropout);
}

Tensor TinyTransformer::forward_with(Encoding& encoding, const Tensor& tokens, const Tensor& positions,
                                     const Dropout& dropout) {
  return classifier_->forward(pooled(encode(encoding, tokens, positions, dropout)));
}

Tensor TinyTransformer::loss(const Tensor& tokens, const Tensor& labels, const Tensor& positions,
                             const Dropout& dropout) {
  const Tensor x = encode(*scheme_.encoding, tokens, positions, dropout);
  if (workspace_ != nullptr) return fused_loss(x, classifier_->weight, classifier_->bias, labels, pool_);
  return torch::cross_entropy_loss(classifier_->forward(pooled(x)), labels);
}

Tensor TinyTransformer::encode(Encoding& encoding, const Tensor& given, const Tensor& positions,
                               const Dropout& dropout) {
  // The BOS token is the embedding's last row.
  const Tensor tokens =
      bos_ ? torch::constant_pad_nd(given, /*pad=*/{1, 0}, /*value=*/emb_->weight.size(0) - 1) : given;
  const Pass pass{positions, encoding, dropout, scheme_.scores->score_factor(positions.numel()), workspace_};
  Tensor x;  // (B,L,D)
  if (const Tensor rows = workspace_ != nullptr ? encoding.rows(positions) : Tensor(); rows.defined()) {
    x = fused_embedding(tokens, emb_->weight, rows);
  } else {
    x = workspace_ != nullptr ? fused_embedding(tokens, emb_->weight, {}) : emb_->forward(tokens);
    x = encoding.embed(x, positions);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i) x = layers_[i]->forward(x, static_cast<int64_t>(i), pass);
  return x;
}

Tensor TinyTransformer::pooled(const Tensor& x) const {
  switch (pool_) {
    case Pool::mean:
      break;
    case Pool::first:
      return x.select(/*dim=*/1, 0);
    case Pool::last:
      return x.select(/*dim=*/1, -1);
    case Pool::max:
      return x.amax(/*dim=*/1);
  }
  return x.mean(/*dim=*/1);
}

}  // namespace posenc
