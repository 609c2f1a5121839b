// Attention of one sequence and one head, forward and backward. Forward has lanes over queries: scores are held
// transposed, a row for each key, so that softmax runs down the rows without a sum across lanes. Included once for each
// instruction set.
#if defined(POSENC_KERNELS_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_ATTENTION_INL_H_
#undef POSENC_KERNELS_ATTENTION_INL_H_
#else
#define POSENC_KERNELS_ATTENTION_INL_H_
#endif

#include <limits>

#include "kernels/exp-inl.h"
#include "kernels/layer.h"
#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {

// One head's part of a sequence.
struct HeadInput {
  const float *q, *k, *v;  // (L,d) each, rows `row` apart
  std::ptrdiff_t row;
  const float* bias;          // transposed (keys, padded queries), or null
  const std::uint32_t* kept;  // bits (L,L), query by key, or null: nothing is dropped
};

// Queries that are worked on at once, and where.
struct QueryBlock {
  std::size_t first, count, padded, keys;  // keys: the first so many may be seen by one of the queries
};

template <typename Work>
HWY_INLINE void ForEachQueryBlock(const LayerSizes& sizes, const Work& work) {
  const std::size_t step = query_block(sizes.length);
  for (std::size_t first = 0; first < sizes.length; first += step) {
    const std::size_t count = std::min(step, sizes.length - first);
    work(QueryBlock{first, count, padded(count), sizes.causal ? std::min(sizes.length, first + count) : sizes.length});
  }
}

// Scores of a block, transposed: rows of block.padded. `queries` is scratch for (d, padded).
HWY_INLINE void BlockScores(const LayerSizes& sizes, const HeadInput& head, const QueryBlock& block, float* queries,
                            float* scores) {
  const std::size_t width = sizes.head_width();
  if (block.padded != block.count) std::fill(queries, queries + width * block.padded, 0.0f);
  Transpose(block.count, width, head.q + static_cast<std::ptrdiff_t>(block.first) * head.row, head.row, queries,
            static_cast<std::ptrdiff_t>(block.padded), sizes.score_scale);
  const Start bias = head.bias == nullptr
                         ? Start{}
                         : Start{head.bias + block.first, static_cast<std::ptrdiff_t>(padded(sizes.length))};
  Gemm(block.keys, block.padded, width, {head.k, head.row, 1}, queries, static_cast<std::ptrdiff_t>(block.padded), bias,
       scores, static_cast<std::ptrdiff_t>(block.padded));
}

// Which of the queries from `first` on, one a lane, may see a key: all, or under causal attention those not before it.
class Visible {
 public:
  Visible(bool causal, std::size_t first)
      : causal_(causal), first_(first), query_(hn::Iota(IntTag(), static_cast<std::int32_t>(first))) {}

  bool all(std::size_t key) const { return !causal_ || key <= first_; }
  HWY_INLINE hn::Mask<FloatTag> hidden(std::size_t key) const {
    return hn::RebindMask(FloatTag(), hn::Lt(query_, hn::Set(IntTag(), static_cast<std::int32_t>(key))));
  }

 private:
  bool causal_;
  std::size_t first_;
  hn::Vec<IntTag> query_;
};

// Bits of a lane's query for one key after another.
class KeptKeys {
 public:
  // Queries first..first+count-1 of the bits (L,L); lanes beyond read the last one's.
  KeptKeys(const std::uint32_t* bits, std::size_t length, std::size_t first, std::size_t count) : bits_(bits) {
    if (bits_ == nullptr) return;
    const std::size_t row = words_in_row(length);
    for (std::size_t i = 0; i < hn::Lanes(IntTag()); ++i)
      rows_[i] = static_cast<std::int32_t>((first + std::min(i, count - 1)) * row);
  }

  // Keys in rising order from 0.
  HWY_INLINE FloatVector factor(std::size_t key, FloatVector kept) {
    const IntTag d;
    if (bits_ == nullptr) return kept;
    if (key % 32 == 0)
      words_ = hn::GatherIndex(d, reinterpret_cast<const std::int32_t*>(bits_) + key / 32, hn::Load(d, rows_));
    const auto bit = hn::Set(d, static_cast<std::int32_t>(1u << (key % 32)));
    return hn::IfThenElseZero(hn::RebindMask(FloatTag(), hn::TestBit(words_, bit)), kept);
  }

 private:
  const std::uint32_t* bits_;
  HWY_ALIGN std::int32_t rows_[hn::MaxLanes(IntTag())];
  hn::Vec<IntTag> words_ = hn::Zero(IntTag());
};

// Scores become what dropout leaves of the probabilities, in place. log_sums (padded queries), or null: the logarithm
// of each query's sum of exponentials.
HWY_INLINE void BlockSoftmax(const LayerSizes& sizes, const HeadInput& head, const QueryBlock& block, float keep_factor,
                             float* scores, float* log_sums) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const auto never = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::size_t t = 0; t < block.count; t += n) {
    const Visible visible(sizes.causal, block.first + t);
    const std::size_t keys = sizes.causal ? std::min(block.keys, block.first + t + n) : block.keys;
    auto greatest = never;
    float* column = scores + t;
    for (std::size_t j = 0; j < keys; ++j) {
      auto s = hn::LoadU(d, column + j * block.padded);
      if (!visible.all(j)) {
        s = hn::IfThenElse(visible.hidden(j), never, s);
        hn::StoreU(s, d, column + j * block.padded);
      }
      greatest = hn::Max(greatest, s);
    }
    auto sum = hn::Zero(d);
    for (std::size_t j = 0; j < keys; ++j) {
      const auto e = ExpOfNegative(hn::Sub(hn::LoadU(d, column + j * block.padded), greatest));
      hn::StoreU(e, d, column + j * block.padded);
      sum = hn::Add(sum, e);
    }
    if (log_sums != nullptr) hn::StoreU(hn::Add(greatest, LogOfSum(sum)), d, log_sums + t);
    const auto share = hn::Div(hn::Set(d, head.kept == nullptr ? 1.0f : keep_factor), sum);
    KeptKeys bits(head.kept, sizes.length, block.first + t, block.count - t);
    for (std::size_t j = 0; j < keys; ++j)
      hn::StoreU(hn::Mul(hn::LoadU(d, column + j * block.padded), bits.factor(j, share)), d, column + j * block.padded);
    for (std::size_t j = keys; j < block.keys; ++j) hn::StoreU(hn::Zero(d), d, column + j * block.padded);
  }
}

// context (L,d), rows context_row apart. log_sums (padded L) to keep for backward, or null.
HWY_INLINE void AttentionForward(const LayerSizes& sizes, const HeadInput& head, float keep_factor, float* context,
                                 std::ptrdiff_t context_row, float* log_sums, float* scratch) {
  const std::size_t width = sizes.head_width(), step = padded(query_block(sizes.length));
  float *queries = scratch, *out = queries + width * step, *scores = out + width * step;
  ForEachQueryBlock(sizes, [&](const QueryBlock& block) {
    BlockScores(sizes, head, block, queries, scores);
    BlockSoftmax(sizes, head, block, keep_factor, scores, log_sums == nullptr ? nullptr : log_sums + block.first);
    const auto padded_row = static_cast<std::ptrdiff_t>(block.padded);
    Gemm(width, block.padded, block.keys, {head.v, 1, head.row}, scores, padded_row, {}, out, padded_row);
    Transpose(width, block.count, out, padded_row, context + static_cast<std::ptrdiff_t>(block.first) * context_row,
              context_row);
  });
}

// What the backward pass of one head reads and writes.
struct HeadGradient {
  const float* bias;     // (L,L), query by key, or null; rows as the caller gave them
  const float* context;  // (L,d) as forward left it, and the gradient that came for it
  const float* d_context;
  std::ptrdiff_t context_row;
  const float* log_sums;  // (L)
  float *dq, *dk, *dv;    // (L,d), rows head.row apart: overwritten
  float* d_bias;          // (L,L), query by key, or null
  bool add_bias;          // d_bias is added to, rather than overwritten
};

// Floats that AttentionBackward() needs.
inline std::size_t BackwardScratch(const LayerSizes& sizes) {
  const std::size_t row = padded(sizes.length);
  return 4 * sizes.head_width() * row + 2 * padded(query_block(sizes.length)) * row;
}

// Probabilities are computed again from the logarithms of their sums. Here lanes are over keys, since nothing is summed
// along them but what matrix products sum.
HWY_INLINE void AttentionBackward(const LayerSizes& sizes, const HeadInput& head, float keep_factor,
                                  const HeadGradient& g, float* scratch) {
  const FloatTag d;
  const std::size_t width = sizes.head_width(), length = sizes.length, row = padded(length);
  const auto wide = static_cast<std::ptrdiff_t>(row), tall = static_cast<std::ptrdiff_t>(length);
  float *keys_t = scratch, *values_t = keys_t + width * row, *dk_t = values_t + width * row, *dv_t = dk_t + width * row,
        *dropped = dv_t + width * row, *d_scores = dropped + padded(query_block(length)) * row;
  Transpose(length, width, head.k, head.row, keys_t, wide, sizes.score_scale);
  Transpose(length, width, head.v, head.row, values_t, wide);
  const bool one_block = query_block(length) >= length;
  if (!one_block) std::fill_n(dk_t, 2 * width * row, 0.0f);
  const auto kept = hn::Set(d, keep_factor), scale = hn::Set(d, sizes.score_scale);
  const auto lane_bits = LaneBits();
  ForEachQueryBlock(sizes, [&](const QueryBlock& block) {
    const std::size_t keys = block.keys;
    const float* queries = head.q + static_cast<std::ptrdiff_t>(block.first) * head.row;
    const float* d_rows = g.d_context + static_cast<std::ptrdiff_t>(block.first) * g.context_row;
    const float* rows = g.context + static_cast<std::ptrdiff_t>(block.first) * g.context_row;
    // Scores, which become what dropout left of the probabilities; and the gradient of that, which becomes the scores'.
    Gemm(block.count, keys, width, {queries, head.row, 1}, keys_t, wide,
         g.bias == nullptr ? Start{} : Start{g.bias + block.first * length, tall}, dropped, wide);
    Gemm(block.count, keys, width, {d_rows, g.context_row, 1}, values_t, wide, {}, d_scores, wide);
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::size_t query = block.first + i, seen = sizes.causal ? std::min(keys, query + 1) : keys;
      const auto log_sum = hn::Set(d, g.log_sums[query]);
      // The sum over keys of probability times gradient is context . d_context.
      auto products = hn::Zero(d);
      ForEachVector(width, [&](std::size_t c, std::size_t n) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * g.context_row + static_cast<std::ptrdiff_t>(c);
        products = hn::MulAdd(LoadFirst(d, rows + at, n), LoadFirst(d, d_rows + at, n), products);
      });
      const auto dot = hn::Set(d, Sum(products));
      const std::uint32_t* bits = head.kept == nullptr ? nullptr : head.kept + query * words_in_row(length);
      float *p_row = dropped + i * row, *d_row = d_scores + i * row;
      float* bias_row = g.d_bias == nullptr ? nullptr : g.d_bias + query * length;
      ForEachVector(seen, [&](std::size_t j, std::size_t n) {
        // Lanes beyond `seen` were never computed, or are hidden.
        const auto p = ExpOfNegative(hn::Min(hn::Sub(LoadFirst(d, p_row + j, n), log_sum), hn::Zero(d)));
        const auto left = bits == nullptr ? p : hn::Mul(p, KeepRow(bits, j, lane_bits, kept));
        StoreFirst(left, d, p_row + j, n);
        const auto ds = hn::NegMulAdd(p, dot, hn::Mul(left, LoadFirst(d, d_row + j, n)));  // p (m s dP - dot)
        if (bias_row != nullptr)
          StoreFirst(g.add_bias ? hn::Add(LoadFirst(d, bias_row + j, n), ds) : ds, d, bias_row + j, n);
        StoreFirst(hn::Mul(ds, scale), d, d_row + j, n);
      });
      for (float* hidden : {p_row, d_row}) std::fill(hidden + seen, hidden + keys, 0.0f);
      if (bias_row != nullptr && !g.add_bias) std::fill(bias_row + seen, bias_row + length, 0.0f);
    }
    const auto start = [&](float* sums) { return one_block ? Start{} : Start{sums, wide}; };
    Gemm(width, keys, block.count, {d_rows, 1, g.context_row}, dropped, wide, start(dv_t), dv_t, wide);
    Gemm(width, keys, block.count, {queries, 1, head.row}, d_scores, wide, start(dk_t), dk_t, wide);
    Gemm(block.count, width, keys, {d_scores, wide, 1}, head.k, head.row, {},
         g.dq + static_cast<std::ptrdiff_t>(block.first) * head.row, head.row);
  });
  Transpose(width, length, dk_t, wide, g.dk, head.row);
  Transpose(width, length, dv_t, wide, g.dv, head.row);
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
