#include "model/fused_ends.h"

#include "model/fused_node.h"

namespace posenc {
namespace {

using torch::Tensor;

class EmbeddingNode : public FusedNode {
 public:
  EmbeddingNode(Tensor tokens, const Tensor& weight) : tokens_(std::move(tokens)) { save({weight}); }

  torch::autograd::variable_list gradients(const Tensor& d_out, std::vector<Tensor> saved) override {
    Tensor d_weight = torch::zeros_like(saved[0]);
    kernels::embedding_backward(static_cast<std::size_t>(tokens_.numel()), static_cast<std::size_t>(d_weight.size(1)),
                                tokens_.const_data_ptr<int64_t>(), d_out.const_data_ptr<float>(),
                                d_weight.mutable_data_ptr<float>());
    return {d_weight};
  }

 private:
  Tensor tokens_;
};

class LossNode : public FusedNode {
 public:
  LossNode(const kernels::HeadSizes& sizes, const Tensor& x, const Tensor& weight, const Tensor& bias, Tensor pooled,
           Tensor probabilities, Tensor labels)
      : sizes_(sizes),
        pooled_(std::move(pooled)),
        probabilities_(std::move(probabilities)),
        labels_(std::move(labels)) {
    save({x, weight, bias});
  }

  torch::autograd::variable_list gradients(const Tensor& d_loss, std::vector<Tensor> saved) override {
    Tensor dx = torch::empty_like(saved[0]), d_weight = torch::zeros_like(saved[1]),
           d_bias = torch::zeros_like(saved[2]);
    kernels::head_backward(sizes_, saved[0].const_data_ptr<float>(), saved[1].const_data_ptr<float>(),
                           pooled_.const_data_ptr<float>(), probabilities_.const_data_ptr<float>(),
                           labels_.const_data_ptr<int64_t>(), d_loss.item<float>(), dx.mutable_data_ptr<float>(),
                           d_weight.mutable_data_ptr<float>(), d_bias.mutable_data_ptr<float>());
    return {dx, d_weight, d_bias};
  }

 private:
  kernels::HeadSizes sizes_;
  Tensor pooled_, probabilities_, labels_;
};

}  // namespace

Tensor fused_embedding(const Tensor& tokens, const Tensor& weight) {
  const Tensor ids = tokens.contiguous();
  Tensor out;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    out = torch::empty({ids.size(0), ids.size(1), weight.size(1)}, weight.options());
    kernels::embedding_forward(static_cast<std::size_t>(ids.numel()), static_cast<std::size_t>(weight.size(1)),
                               ids.const_data_ptr<int64_t>(), weight.const_data_ptr<float>(),
                               out.mutable_data_ptr<float>());
  }
  if (needs_gradient({weight})) connect(new EmbeddingNode(ids, weight), {weight}, out);
  return out;
}

Tensor fused_loss(const Tensor& given, const Tensor& weight, const Tensor& bias, const Tensor& labels,
                  kernels::Pooling pooling) {
  const Tensor x = given.contiguous();
  const kernels::HeadSizes sizes{.batch = static_cast<std::size_t>(x.size(0)),
                                 .length = static_cast<std::size_t>(x.size(1)),
                                 .d_model = static_cast<std::size_t>(x.size(2)),
                                 .classes = static_cast<std::size_t>(weight.size(0)),
                                 .pooling = pooling};
  Tensor loss, pooled, probabilities;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    pooled = torch::empty({x.size(0), x.size(2)});
    probabilities = torch::empty({x.size(0), weight.size(0)});
    std::vector<float> logits(static_cast<std::size_t>(probabilities.numel()));
    kernels::head_logits(sizes, x.const_data_ptr<float>(), weight.const_data_ptr<float>(), bias.const_data_ptr<float>(),
                         pooled.mutable_data_ptr<float>(), logits.data());
    loss = torch::full({}, kernels::head_loss(sizes, logits.data(), labels.const_data_ptr<int64_t>(),
                                              probabilities.mutable_data_ptr<float>()));
  }
  if (needs_gradient({x, weight, bias}))
    connect(new LossNode(sizes, x, weight, bias, pooled, probabilities, labels.contiguous()), {x, weight, bias}, loss);
  return loss;
}

}  // namespace posenc
