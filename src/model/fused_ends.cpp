#include "model/fused_ends.h"

#include "nn/fused_node.h"

namespace posenc {
namespace {

using torch::Tensor;

kernels::EmbeddingSizes embedding_sizes(const Tensor& tokens, int64_t d_model) {
  return {static_cast<std::size_t>(tokens.size(0)), static_cast<std::size_t>(tokens.size(1)),
          static_cast<std::size_t>(d_model)};
}

class EmbeddingNode : public FusedNode {
 public:
  explicit EmbeddingNode(Tensor tokens) : tokens_(std::move(tokens)) {}

  torch::autograd::variable_list gradients(const Tensor& d_out, const std::vector<Tensor>& inputs) override {
    std::vector<Tensor> d_inputs;
    if (!inputs.empty()) d_inputs.push_back(torch::empty_like(inputs[0]));
    kernels::embedding_backward(embedding_sizes(tokens_, d_out.size(-1)), tokens_.const_data_ptr<int64_t>(),
                                d_out.const_data_ptr<float>(), weight_gradient(0),
                                d_inputs.empty() ? nullptr : d_inputs[0].mutable_data_ptr<float>());
    return d_inputs;
  }

 private:
  Tensor tokens_;
};

class LossNode : public FusedNode {
 public:
  LossNode(const kernels::HeadSizes& sizes, Tensor pooled, Tensor probabilities, Tensor labels)
      : sizes_(sizes),
        pooled_(std::move(pooled)),
        probabilities_(std::move(probabilities)),
        labels_(std::move(labels)) {}

  torch::autograd::variable_list gradients(const Tensor& d_loss, const std::vector<Tensor>& inputs) override {
    Tensor dx = torch::empty_like(inputs[0]);
    kernels::head_backward(sizes_, inputs[0].const_data_ptr<float>(), weights()[0].const_data_ptr<float>(),
                           pooled_.const_data_ptr<float>(), probabilities_.const_data_ptr<float>(),
                           labels_.const_data_ptr<int64_t>(), *d_loss.const_data_ptr<float>(),
                           dx.mutable_data_ptr<float>(), weight_gradient(0), weight_gradient(1));
    return {dx};
  }

 private:
  kernels::HeadSizes sizes_;
  Tensor pooled_, probabilities_, labels_;
};

}  // namespace

Tensor fused_embedding(const Tensor& tokens, const Tensor& weight, const Tensor& given) {
  const Tensor ids = tokens.contiguous(), added = given.defined() ? given.contiguous() : given;
  Tensor out;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    out = torch::empty({ids.size(0), ids.size(1), weight.size(1)}, weight.options());
    kernels::embedding_forward(
        embedding_sizes(ids, weight.size(1)), ids.const_data_ptr<int64_t>(), weight.const_data_ptr<float>(),
        added.defined() ? added.const_data_ptr<float>() : nullptr, out.mutable_data_ptr<float>());
  }
  std::vector<Tensor> inputs;
  if (added.defined() && added.requires_grad()) inputs.push_back(added);
  if (needs_gradient(inputs, {weight})) FusedNode::connect(new EmbeddingNode(ids), inputs, {weight}, out);
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
  if (needs_gradient({x}, {weight, bias}))
    FusedNode::connect(new LossNode(sizes, pooled, probabilities, labels.contiguous()), {x}, {weight, bias}, loss);
  return loss;
}

}  // namespace posenc
