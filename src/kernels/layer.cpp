#include "kernels/layer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/attention-inl.h"
#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

using Weights = LayerWeights<const float>;
using Gradients = LayerWeights<float>;

// Sequences that go through the layer together: products need some rows to be fast, and caches have an end.
std::size_t group_size(const LayerSizes& sizes) {
  constexpr std::size_t kRows = 128;
  return std::clamp<std::size_t>(kRows / sizes.length, 1, sizes.batch);
}

// Takes one array after another from a workspace's memory.
class Cut {
 public:
  explicit Cut(float* memory = nullptr) : next_(memory) {}

  float* take(std::size_t count) {
    float* taken = next_;
    const std::size_t step = padded(count);
    used_ += step;
    if (next_ != nullptr) next_ += step;
    return taken;
  }
  std::size_t used() const { return used_; }

 private:
  float* next_;
  std::size_t used_ = 0;
};

// The parts of a matrix product that a whole group shares.
struct Products {
  std::size_t rows;

  // out (rows,outputs) = in (rows,inputs) weight^T + bias, with the weight transposed already.
  HWY_INLINE void Forward(const float* in, std::size_t inputs, const float* transposed, const float* bias,
                          std::size_t outputs, float* out) const {
    Gemm(rows, outputs, inputs, {in, static_cast<std::ptrdiff_t>(inputs), 1}, transposed,
         static_cast<std::ptrdiff_t>(outputs), {bias, 0}, out, static_cast<std::ptrdiff_t>(outputs));
  }

  // d_in (rows,inputs) = or += d_out (rows,outputs) weight
  HWY_INLINE void ToInput(const float* d_out, std::size_t outputs, const float* weight, std::size_t inputs, bool add,
                          float* d_in) const {
    const auto row = static_cast<std::ptrdiff_t>(inputs);
    Gemm(rows, inputs, outputs, {d_out, static_cast<std::ptrdiff_t>(outputs), 1}, weight, row,
         add ? Start{d_in, row} : Start{}, d_in, row);
  }

  // d_weight (outputs,inputs) += d_out^T in
  HWY_INLINE void ToWeight(const float* d_out, std::size_t outputs, const float* in, std::size_t inputs,
                           float* d_weight) const {
    const auto row = static_cast<std::ptrdiff_t>(inputs);
    Gemm(outputs, inputs, rows, {d_out, 1, static_cast<std::ptrdiff_t>(outputs)}, in, row, {d_weight, row}, d_weight,
         row);
  }
};

// What both directions know of a call.
struct Call {
  const LayerSizes& sizes;
  const ScoreTerms& terms;
  const LayerMasks& masks;
  FloatVector factor;
  hn::Vec<IntTag> lane_bits;

  Call(const LayerSizes& s, const ScoreTerms& t, const LayerMasks& m)
      : sizes(s), terms(t), masks(m), factor(hn::Set(FloatTag(), m.factor)), lane_bits(LaneBits()) {}

  const std::uint32_t* attended(std::size_t row) const {  // of sequence row / L, place row % L
    if (masks.attended == nullptr) return nullptr;
    return masks.attended + (row % sizes.length * sizes.batch + row / sizes.length) * words_in_row(sizes.d_model);
  }
  const std::uint32_t* output(std::size_t row) const {
    return masks.output == nullptr ? nullptr : masks.output + row * words_in_row(sizes.d_model);
  }
  const std::uint32_t* hidden(std::size_t row) const {
    return masks.hidden == nullptr ? nullptr : masks.hidden + row * words_in_row(sizes.ffn);
  }
  const std::uint32_t* attention(std::size_t head) const {  // of all B H
    return masks.attention == nullptr ? nullptr : masks.attention + head * sizes.length * words_in_row(sizes.length);
  }

  std::size_t bias_size() const { return sizes.length * padded(sizes.length); }

  // The bias of one head, transposed and padded with zeros.
  HWY_INLINE void TransposeBias(const float* bias, float* to) const {
    if (padded(sizes.length) != sizes.length) std::fill_n(to, bias_size(), 0.0f);
    Transpose(sizes.length, sizes.length, bias, static_cast<std::ptrdiff_t>(sizes.length), to,
              static_cast<std::ptrdiff_t>(padded(sizes.length)));
  }

  // A shared bias, all heads, once a call; null without one.
  HWY_INLINE const float* SharedBias(float* to) const {
    if (terms.bias == nullptr || terms.per_sequence) return nullptr;
    for (std::size_t h = 0; h < sizes.heads; ++h)
      TransposeBias(terms.bias + h * sizes.length * sizes.length, to + h * bias_size());
    return to;
  }

  // One head of one sequence, from its rows of q, k and v.
  HWY_INLINE HeadInput Head(const float* qkv, std::size_t sequence, std::size_t h, const float* shared_bias,
                            float* own_bias) const {
    const std::size_t d = sizes.d_model, head = sequence * sizes.heads + h;
    const float* q = qkv + h * sizes.head_width();
    const float* bias = shared_bias == nullptr ? nullptr : shared_bias + h * bias_size();
    if (terms.per_sequence && own_bias != nullptr) {
      TransposeBias(terms.bias + head * sizes.length * sizes.length, own_bias);
      bias = own_bias;
    }
    return {q, q + d, q + 2 * d, static_cast<std::ptrdiff_t>(3 * d), bias, attention(head)};
  }

  // Queries and keys of some rows (3D each), the first of which is at place 0 of its sequence.
  HWY_INLINE void RotateRows(float* qkv, std::size_t rows, float direction, float* copy) const {
    const Rotation& turn = terms.rotation;
    if (turn.cos == nullptr) return;
    const std::size_t width = sizes.head_width();
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t part = 0; part < 2 * sizes.heads; ++part)
        Rotate(width, turn.cos + r % sizes.length * width, turn.sin + r % sizes.length * width, turn.partner, direction,
               qkv + r * 3 * sizes.d_model + part * width, copy);
  }
};

void Forward(const LayerSizes& sizes, const Weights& w, const LayerInput& input, const ScoreTerms& terms,
             const LayerMasks& masks, const LayerRecord& record, float* out, Workspace& workspace) {
  const std::size_t length = sizes.length, d = sizes.d_model, f = sizes.ffn, width = sizes.head_width();
  const std::size_t group = group_size(sizes), most_rows = group * length, step = padded(query_block(length));
  const Call call(sizes, terms, masks);
  const bool keep = record.normed1 != nullptr, projects = input.projected == nullptr && input.attended == nullptr;

  float *in_t, *out_t, *linear1_t, *linear2_t, *bias, *own_bias, *heads_scratch, *copy, *qkv, *context, *normed,
      *middle, *hidden, *added;
  const auto cut = [&](Cut memory) {
    in_t = memory.take(3 * d * d);
    out_t = memory.take(d * d);
    linear1_t = memory.take(d * f);
    linear2_t = memory.take(d * f);
    bias = memory.take(terms.bias != nullptr && !terms.per_sequence ? sizes.heads * call.bias_size() : 0);
    own_bias = memory.take(terms.per_sequence ? call.bias_size() : 0);
    heads_scratch = memory.take((2 * width + length) * step);
    copy = memory.take(width);
    qkv = memory.take(most_rows * 3 * d);
    context = memory.take(most_rows * d);
    normed = memory.take(most_rows * d);
    middle = memory.take(most_rows * d);
    hidden = memory.take(most_rows * f);
    added = memory.take(most_rows * d);
    return memory.used();
  };
  cut(Cut(workspace.floats(cut(Cut()))));

  const auto wide = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count); };
  if (projects) Transpose(3 * d, d, w.in_weight, wide(d), in_t, wide(3 * d));
  if (input.attended == nullptr) Transpose(d, d, w.out_weight, wide(d), out_t, wide(d));
  Transpose(f, d, w.linear1_weight, wide(d), linear1_t, wide(f));
  Transpose(d, f, w.linear2_weight, wide(f), linear2_t, wide(d));
  const float* shared_bias = call.SharedBias(bias);

  for (std::size_t first = 0; first < sizes.batch; first += group) {
    const std::size_t sequences = std::min(group, sizes.batch - first), rows = sequences * length,
                      row0 = first * length;
    const Products products{rows};
    const float* in = input.x + row0 * d;
    const float* attended = input.attended != nullptr ? input.attended + row0 * d : added;
    if (input.attended == nullptr) {
      float* group_qkv = record.qkv != nullptr ? record.qkv + row0 * 3 * d : qkv;
      const float* seen = projects ? group_qkv : input.projected + row0 * 3 * d;
      if (projects) {
        products.Forward(in, d, in_t, w.in_bias, 3 * d, group_qkv);
        call.RotateRows(group_qkv, rows, 1, copy);
      }
      float* group_context = keep ? record.context + row0 * d : context;
      for (std::size_t s = 0; s < sequences; ++s)
        for (std::size_t h = 0; h < sizes.heads; ++h) {
          const std::size_t head = (first + s) * sizes.heads + h;
          AttentionForward(sizes, call.Head(seen + s * length * 3 * d, first + s, h, shared_bias, own_bias),
                           masks.factor, group_context + s * length * d + h * width, wide(d),
                           record.log_sums != nullptr ? record.log_sums + head * padded(length) : nullptr,
                           heads_scratch);
        }
      products.Forward(group_context, d, out_t, w.out_bias, d, added);
    }
    float* group_normed = keep ? record.normed1 + row0 * d : normed;
    for (std::size_t r = 0; r < rows; ++r) {
      const float deviation =
          AddNorm(d, in + r * d, attended + r * d, call.attended(row0 + r), call.factor, call.lane_bits, w.norm1_weight,
                  w.norm1_bias, sizes.norm_eps, group_normed + r * d, middle + r * d);
      if (keep) record.deviation1[row0 + r] = deviation;
    }
    float* group_hidden = keep ? record.hidden + row0 * f : hidden;
    products.Forward(middle, d, linear1_t, w.linear1_bias, f, group_hidden);
    for (std::size_t r = 0; r < rows; ++r)
      ReluDrop(f, group_hidden + r * f, call.hidden(row0 + r), call.factor, call.lane_bits);
    products.Forward(group_hidden, f, linear2_t, w.linear2_bias, d, added);
    group_normed = keep ? record.normed2 + row0 * d : normed;
    for (std::size_t r = 0; r < rows; ++r) {
      const float deviation =
          AddNorm(d, middle + r * d, added + r * d, call.output(row0 + r), call.factor, call.lane_bits, w.norm2_weight,
                  w.norm2_bias, sizes.norm_eps, group_normed + r * d, out + (row0 + r) * d);
      if (keep) record.deviation2[row0 + r] = deviation;
    }
  }
}

void Backward(const LayerSizes& sizes, const Weights& w, const LayerInput& input, const ScoreTerms& terms,
              const LayerMasks& masks, const LayerRecord& record, const float* d_out, const LayerInputGradient& d_input,
              const Gradients& g, float* d_bias, Workspace& workspace) {
  const std::size_t length = sizes.length, d = sizes.d_model, f = sizes.ffn, width = sizes.head_width();
  const std::size_t group = group_size(sizes), most_rows = group * length;
  const Call call(sizes, terms, masks);

  float *heads_scratch, *copy, *d_added, *d_middle, *middle, *d_hidden, *d_context, *d_qkv;
  const auto cut = [&](Cut memory) {
    heads_scratch = memory.take(BackwardScratch(sizes));
    copy = memory.take(width);
    d_added = memory.take(most_rows * d);
    d_middle = memory.take(most_rows * d);
    middle = memory.take(most_rows * d);
    d_hidden = memory.take(most_rows * f);
    d_context = memory.take(most_rows * d);
    d_qkv = memory.take(most_rows * 3 * d);
    return memory.used();
  };
  cut(Cut(workspace.floats(cut(Cut()))));
  if (d_bias != nullptr && !terms.per_sequence) std::fill_n(d_bias, sizes.heads * length * length, 0.0f);

  const FloatTag tag;
  const auto wide = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count); };
  for (std::size_t first = 0; first < sizes.batch; first += group) {
    const std::size_t sequences = std::min(group, sizes.batch - first), rows = sequences * length,
                      row0 = first * length;
    const Products products{rows};

    // Second half: normalisation, linear2, relu, linear1.
    const bool drops = masks.output != nullptr;
    const float *group_d_out = d_out + row0 * d, *normed2 = record.normed2 + row0 * d,
                *normed1 = record.normed1 + row0 * d;
    for (std::size_t r = 0; r < rows; ++r) {
      AddNormBackward(d, group_d_out + r * d, normed2 + r * d, record.deviation2[row0 + r], w.norm2_weight,
                      call.output(row0 + r), call.factor, call.lane_bits, d_middle + r * d, d_added + r * d);
      // What the first normalisation gave, again.
      ForEachVector(d, [&](std::size_t c, std::size_t n) {
        StoreFirst(hn::MulAdd(LoadFirst(tag, normed1 + r * d + c, n), LoadFirst(tag, w.norm1_weight + c, n),
                              LoadFirst(tag, w.norm1_bias + c, n)),
                   tag, middle + r * d + c, n);
      });
    }
    AddColumns(rows, d, group_d_out, normed2, g.norm2_bias, g.norm2_weight);
    const float* d_second = drops ? d_added : d_middle;
    AddColumns(rows, d, d_second, nullptr, g.linear2_bias, nullptr);
    const float* hidden = record.hidden + row0 * f;
    products.ToWeight(d_second, d, hidden, f, g.linear2_weight);
    products.ToInput(d_second, d, w.linear2_weight, f, false, d_hidden);
    for (std::size_t r = 0; r < rows; ++r) ReluDropBackward(f, d_hidden + r * f, hidden + r * f, call.factor);
    AddColumns(rows, f, d_hidden, nullptr, g.linear1_bias, nullptr);
    products.ToWeight(d_hidden, f, middle, d, g.linear1_weight);
    products.ToInput(d_hidden, f, w.linear1_weight, d, true, d_middle);

    // First half: normalisation, output projection, attention, input projection.
    const bool drops_attended = masks.attended != nullptr;
    float* group_dx = d_input.dx + row0 * d;
    for (std::size_t r = 0; r < rows; ++r)
      AddNormBackward(d, d_middle + r * d, normed1 + r * d, record.deviation1[row0 + r], w.norm1_weight,
                      call.attended(row0 + r), call.factor, call.lane_bits, group_dx + r * d, d_added + r * d);
    AddColumns(rows, d, d_middle, normed1, g.norm1_bias, g.norm1_weight);
    const float* d_attended = drops_attended ? d_added : group_dx;
    if (input.attended != nullptr) {
      std::copy_n(d_attended, rows * d, d_input.d_attended + row0 * d);
      continue;
    }
    AddColumns(rows, d, d_attended, nullptr, g.out_bias, nullptr);
    products.ToWeight(d_attended, d, record.context + row0 * d, d, g.out_weight);
    products.ToInput(d_attended, d, w.out_weight, d, false, d_context);

    const bool projects = input.projected == nullptr;
    float* group_d_qkv = projects ? d_qkv : d_input.d_projected + row0 * 3 * d;
    const float* seen = (projects ? record.qkv : input.projected) + row0 * 3 * d;
    for (std::size_t s = 0; s < sequences; ++s)
      for (std::size_t h = 0; h < sizes.heads; ++h) {
        const std::size_t head = (first + s) * sizes.heads + h, at = s * length * d + h * width;
        float* dq = group_d_qkv + s * length * 3 * d + h * width;
        const std::size_t square = length * length, of_bias = terms.per_sequence ? head : h;
        const HeadGradient gradient{.bias = terms.bias != nullptr ? terms.bias + of_bias * square : nullptr,
                                    .context = record.context + row0 * d + at,
                                    .d_context = d_context + at,
                                    .context_row = wide(d),
                                    .log_sums = record.log_sums + head * padded(length),
                                    .dq = dq,
                                    .dk = dq + d,
                                    .dv = dq + 2 * d,
                                    .d_bias = d_bias != nullptr ? d_bias + of_bias * square : nullptr,
                                    .add_bias = !terms.per_sequence};
        AttentionBackward(sizes, call.Head(seen + s * length * 3 * d, first + s, h, nullptr, nullptr), masks.factor,
                          gradient, heads_scratch);
      }
    if (projects) {
      call.RotateRows(group_d_qkv, rows, -1, copy);
      AddColumns(rows, 3 * d, group_d_qkv, nullptr, g.in_bias, nullptr);
      products.ToWeight(group_d_qkv, 3 * d, input.x + row0 * d, d, g.in_weight);
      products.ToInput(group_d_qkv, 3 * d, w.in_weight, d, true, group_dx);
    }
  }
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

float* Workspace::floats(std::size_t count) {
  constexpr std::size_t kAlignment = 64;
  if (memory_.size() < count + kAlignment) memory_ = std::vector<float>(count + kAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  return memory_.data() + (kAlignment - address % kAlignment) % kAlignment / sizeof(float);
}

void layer_forward(const LayerSizes& sizes, const LayerWeights<const float>& weights, const LayerInput& input,
                   const ScoreTerms& terms, const LayerMasks& masks, const LayerRecord& record, float* out,
                   Workspace& workspace) {
  HWY_DYNAMIC_DISPATCH(Forward)(sizes, weights, input, terms, masks, record, out, workspace);
}

void layer_backward(const LayerSizes& sizes, const LayerWeights<const float>& weights, const LayerInput& input,
                    const ScoreTerms& terms, const LayerMasks& masks, const LayerRecord& record, const float* d_out,
                    const LayerInputGradient& input_gradient, const LayerWeights<float>& gradients, float* d_bias,
                    Workspace& workspace) {
  HWY_DYNAMIC_DISPATCH(Backward)
  (sizes, weights, input, terms, masks, record, d_out, input_gradient, gradients, d_bias, workspace);
}

}  // namespace posenc::kernels
#endif
