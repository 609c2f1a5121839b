#include "model/fused_layer.h"

#include "nn/fused_node.h"

namespace posenc {
namespace {

using kernels::LayerSizes;
using kernels::padded;
using kernels::words_in_row;
using torch::Tensor;

// Takes one array after another from a tensor's memory, or without one counts how much they need.
template <typename Number>
class Pieces {
 public:
  explicit Pieces(Number* memory = nullptr) : memory_(memory) {}

  Number* take(std::size_t count) {
    Number* taken = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += padded(count);
    return taken;
  }
  int64_t used() const { return static_cast<int64_t>(used_); }

 private:
  Number* memory_;
  std::size_t used_ = 0;
};

kernels::LayerRecord cut_record(const LayerSizes& s, bool projects, bool attends, Pieces<float>& pieces) {
  kernels::LayerRecord record;
  if (projects) record.qkv = pieces.take(s.rows() * 3 * s.d_model);
  if (attends) record.log_sums = pieces.take(s.batch * s.heads * padded(s.length));
  if (attends) record.context = pieces.take(s.rows() * s.d_model);
  record.normed1 = pieces.take(s.rows() * s.d_model);
  record.deviation1 = pieces.take(s.rows());
  record.hidden = pieces.take(s.rows() * s.ffn);
  record.normed2 = pieces.take(s.rows() * s.d_model);
  record.deviation2 = pieces.take(s.rows());
  return record;
}

struct MaskShape {
  std::size_t rows, columns;
};

// In the order in which they are drawn. Attention that was computed elsewhere drew its own.
std::vector<MaskShape> mask_shapes(const LayerSizes& s, bool attends) {
  std::vector<MaskShape> shapes = {{s.rows(), s.d_model}, {s.rows(), s.ffn}, {s.rows(), s.d_model}};
  if (attends) shapes.insert(shapes.begin(), {s.batch * s.heads * s.length, s.length});
  return shapes;
}

// Draws a step's masks into one tensor, or for `bits` drawn before finds them there.
kernels::LayerMasks layer_masks(const LayerSizes& s, bool attends, const Dropout* draw_from, double probability,
                                Tensor& bits) {
  const auto shapes = mask_shapes(s, attends);
  Pieces<uint32_t> size;
  for (const MaskShape& shape : shapes) size.take(shape.rows * words_in_row(shape.columns));
  if (draw_from != nullptr) bits = torch::empty({size.used()}, torch::kInt32);
  Pieces<uint32_t> pieces(reinterpret_cast<uint32_t*>(bits.mutable_data_ptr<int32_t>()));
  std::vector<const uint32_t*> drawn;
  for (const MaskShape& shape : shapes) {
    uint32_t* piece = pieces.take(shape.rows * words_in_row(shape.columns));
    if (draw_from != nullptr)
      draw_from->bits(static_cast<int64_t>(shape.rows), static_cast<int64_t>(shape.columns), piece);
    drawn.push_back(piece);
  }
  const std::size_t first = attends ? 1 : 0;
  return {.attention = attends ? drawn[0] : nullptr,
          .attended = drawn[first],
          .hidden = drawn[first + 1],
          .output = drawn[first + 2],
          .factor = static_cast<float>(1 / (1 - probability))};
}

template <typename Number>
kernels::LayerWeights<Number> to_weights(const std::vector<Number*>& p) {
  return {p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11]};
}

// Everything a layer's kernels read besides x and the weights, held as tensors.
struct Held {
  LayerSizes sizes;
  Tensor projected, attended, bias, bits, record;
  Rotation rotation;
  double dropout = 0;

  bool projects() const { return !projected.defined() && !attended.defined(); }
  bool attends() const { return !attended.defined(); }

  kernels::LayerInput input(const Tensor& x) const {
    return {.x = x.const_data_ptr<float>(),
            .projected = projected.defined() ? projected.const_data_ptr<float>() : nullptr,
            .attended = attended.defined() ? attended.const_data_ptr<float>() : nullptr};
  }
  kernels::ScoreTerms terms() const {
    kernels::ScoreTerms terms;
    if (bias.defined()) terms.bias = bias.const_data_ptr<float>();
    terms.per_sequence = bias.defined() && bias.dim() == 4;
    if (rotation.cos.defined())
      terms.rotation = {rotation.cos.const_data_ptr<float>(), rotation.sin.const_data_ptr<float>(),
                        rotation.partner.const_data_ptr<int32_t>()};
    return terms;
  }
};

class LayerNode : public FusedNode {
 public:
  // The tensors that are inputs of the graph come back from it; the node keeps only which of them there are.
  LayerNode(Held held, std::shared_ptr<kernels::Workspace> workspace)
      : held_(std::move(held)),
        workspace_(std::move(workspace)),
        has_projected_(held_.projected.defined()),
        has_attended_(held_.attended.defined()),
        has_bias_(held_.bias.defined()) {
    held_.projected = held_.attended = held_.bias = Tensor();
  }

  torch::autograd::variable_list gradients(const Tensor& d_out, const std::vector<Tensor>& inputs) override {
    Held held = held_;
    std::size_t next = 1;
    if (has_projected_) held.projected = inputs[next++];
    if (has_attended_) held.attended = inputs[next++];
    if (has_bias_) held.bias = inputs[next++];

    std::vector<Tensor> d_inputs;
    for (const Tensor& input : inputs) d_inputs.push_back(torch::empty_like(input));
    const auto d_input = [&](std::size_t i) { return d_inputs[i].mutable_data_ptr<float>(); };
    std::vector<float*> d_weights;
    std::vector<const float*> weight_pointers;
    // Weights whose work was done elsewhere get no gradient here; the kernel does not look at them.
    const std::size_t elsewhere = has_attended_ ? 4 : has_projected_ ? 2 : 0;
    for (std::size_t i = 0; i < weights().size(); ++i) {
      d_weights.push_back(i < elsewhere ? nullptr : weight_gradient(i));
      weight_pointers.push_back(weights()[i].const_data_ptr<float>());
    }
    const LayerSizes& s = held.sizes;
    Pieces<float> pieces(held.record.mutable_data_ptr<float>());
    const kernels::LayerRecord record = cut_record(s, held.projects(), held.attends(), pieces);
    const kernels::LayerMasks masks =
        held.bits.defined() ? layer_masks(s, held.attends(), nullptr, held.dropout, held.bits) : kernels::LayerMasks{};
    kernels::layer_backward(s, to_weights<const float>(weight_pointers), held.input(inputs[0]), held.terms(), masks,
                            record, d_out.const_data_ptr<float>(),
                            {d_input(0), has_projected_ ? d_input(1) : nullptr, has_attended_ ? d_input(1) : nullptr},
                            to_weights<float>(d_weights),
                            has_bias_ ? d_inputs.back().mutable_data_ptr<float>() : nullptr, *workspace_);
    return d_inputs;
  }

  void release() override { held_.bits = held_.record = Tensor(); }

 private:
  Held held_;
  std::shared_ptr<kernels::Workspace> workspace_;
  bool has_projected_, has_attended_, has_bias_;
};

}  // namespace

Tensor fused_layer(const LayerSizes& sizes, const FusedLayerInput& input, const std::vector<Tensor>& weights,
                   const Dropout& dropout, const std::shared_ptr<kernels::Workspace>& workspace) {
  const auto contiguous = [](const Tensor& t) { return t.defined() ? t.contiguous() : t; };
  const FusedLayerInput in{contiguous(input.x), contiguous(input.projected), contiguous(input.attended),
                           contiguous(input.bias), input.rotation};
  std::vector<Tensor> inputs = {in.x};
  for (const Tensor& optional : {in.projected, in.attended, in.bias})
    if (optional.defined()) inputs.push_back(optional);
  const bool keep = needs_gradient(inputs, weights);

  Held held{.sizes = sizes,
            .projected = in.projected,
            .attended = in.attended,
            .bias = in.bias,
            .rotation = in.rotation,
            .dropout = dropout.probability()};
  Tensor out;
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    out = torch::empty_like(in.x);
    kernels::LayerRecord record;
    if (keep) {
      Pieces<float> size;
      cut_record(sizes, held.projects(), held.attends(), size);
      held.record = torch::empty({size.used()});
      Pieces<float> pieces(held.record.mutable_data_ptr<float>());
      record = cut_record(sizes, held.projects(), held.attends(), pieces);
    }
    const kernels::LayerMasks masks =
        dropout.drops() ? layer_masks(sizes, held.attends(), &dropout, dropout.probability(), held.bits)
                        : kernels::LayerMasks{};
    std::vector<const float*> pointers;
    for (const Tensor& weight : weights) pointers.push_back(weight.const_data_ptr<float>());
    kernels::layer_forward(sizes, to_weights<const float>(pointers), held.input(in.x), held.terms(), masks, record,
                           out.mutable_data_ptr<float>(), *workspace);
  }
  if (keep) FusedNode::connect(new LayerNode(std::move(held), workspace), inputs, weights, out);
  return out;
}

}  // namespace posenc
