#include "nn/fused_lookup.h"

#include "kernels/gates.h"
#include "kernels/lookup.h"
#include "nn/fused_node.h"

namespace posenc {
namespace {

using torch::Tensor;

bool by_kernel(const Tensor& tensor) { return tensor.is_cpu() && tensor.scalar_type() == torch::kFloat; }

std::size_t along(const Tensor& tensor, int64_t axis) { return static_cast<std::size_t>(tensor.size(axis)); }

class PickNode : public FusedNode {
 public:
  explicit PickNode(Tensor index) : index_(std::move(index)) {}

  torch::autograd::variable_list gradients(const Tensor& d_out, const std::vector<Tensor>& inputs) override {
    Tensor d_scores = torch::empty_like(inputs[0]);
    kernels::pick_backward(along(d_out, 0) * along(d_out, 1), along(d_out, 2), along(d_scores, 3), along(d_out, 3),
                           index_.const_data_ptr<int64_t>(), d_out.const_data_ptr<float>(),
                           d_scores.mutable_data_ptr<float>());
    return {d_scores};
  }

 private:
  Tensor index_;
};

class InterpolateNode : public FusedNode {
 public:
  torch::autograd::variable_list gradients(const Tensor& d_out, const std::vector<Tensor>& inputs) override {
    Tensor d_scores = torch::empty_like(inputs[0]), d_places = torch::empty_like(inputs[1]);
    kernels::interpolate_backward(along(d_out, 0) * along(d_out, 1) * along(d_out, 2), along(d_scores, 3),
                                  along(d_out, 3), inputs[0].const_data_ptr<float>(), inputs[1].const_data_ptr<float>(),
                                  d_out.const_data_ptr<float>(), d_scores.mutable_data_ptr<float>(),
                                  d_places.mutable_data_ptr<float>());
    return {d_scores, d_places};
  }
};

class GatesNode : public FusedNode {
 public:
  GatesNode(double most, Tensor gates, Tensor places)
      : most_(static_cast<float>(most)), gates_(std::move(gates)), places_(std::move(places)) {}

  torch::autograd::variable_list gradients(const Tensor& d_out, const std::vector<Tensor>& inputs) override {
    Tensor d_scores = torch::empty_like(inputs[0]);
    kernels::count_gates_backward(along(d_out, 0) * along(d_out, 1), along(d_out, 2), most_,
                                  gates_.const_data_ptr<float>(), places_.const_data_ptr<float>(),
                                  d_out.const_data_ptr<float>(), d_scores.mutable_data_ptr<float>());
    return {d_scores};
  }

 private:
  float most_;
  Tensor gates_, places_;
};

}  // namespace

Tensor pick(const Tensor& given, const Tensor& index) {
  if (!by_kernel(given)) {
    const int64_t length = index.size(0);
    return given.gather(/*dim=*/-1, index.to(given.device()).expand({given.size(0), given.size(1), length, length}));
  }
  const Tensor scores = given.contiguous(), places = index.contiguous();
  Tensor out;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    out = torch::empty({scores.size(0), scores.size(1), index.size(0), index.size(1)}, scores.options());
    kernels::pick_forward(along(scores, 0) * along(scores, 1), along(scores, 2), along(scores, 3), along(index, 1),
                          scores.const_data_ptr<float>(), places.const_data_ptr<int64_t>(),
                          out.mutable_data_ptr<float>());
  }
  if (needs_gradient({scores}, {})) FusedNode::connect(new PickNode(places), {scores}, {}, out);
  return out;
}

Tensor interpolate(const Tensor& given, const Tensor& given_places) {
  if (!by_kernel(given)) {
    const Tensor inside = (given_places >= 0) & (given_places <= given.size(-1) - 1);
    const Tensor at = torch::where(inside, given_places, torch::zeros_like(given_places));
    const Tensor below = at.floor().to(torch::kInt64), above = at.ceil().to(torch::kInt64);
    const Tensor share = torch::where(inside, given_places - below, NAN);
    return given.gather(/*dim=*/-1, above) * share + given.gather(/*dim=*/-1, below) * (1 - share);
  }
  const Tensor scores = given.contiguous(), places = given_places.contiguous();
  Tensor out;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    out = torch::empty_like(places);
    kernels::interpolate_forward(along(scores, 0) * along(scores, 1) * along(scores, 2), along(scores, 3),
                                 along(places, 3), scores.const_data_ptr<float>(), places.const_data_ptr<float>(),
                                 out.mutable_data_ptr<float>());
  }
  if (needs_gradient({scores, places}, {})) FusedNode::connect(new InterpolateNode(), {scores, places}, {}, out);
  return out;
}

Tensor count_gates(const Tensor& given, double most) {
  if (!by_kernel(given)) {
    const Tensor gates = torch::sigmoid(given).tril();  // none after the query
    return gates.flip(-1).cumsum(/*dim=*/-1).flip(-1).clamp_max(most).tril();
  }
  const Tensor scores = given.contiguous();
  Tensor gates, places;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    gates = torch::empty_like(scores);
    places = torch::empty_like(scores);
    kernels::count_gates_forward(along(scores, 0) * along(scores, 1), along(scores, 2), static_cast<float>(most),
                                 scores.const_data_ptr<float>(), gates.mutable_data_ptr<float>(),
                                 places.mutable_data_ptr<float>());
  }
  // The node keeps the numbers, not this tensor, which will hold the node.
  if (needs_gradient({scores}, {}))
    FusedNode::connect(new GatesNode(most, gates, places.detach()), {scores}, {}, places);
  return places;
}

}  // namespace posenc
