// Attention of one sequence and one head, forward and backward, with lanes over queries: scores are held transposed, a
// row for each key, so that softmax runs down the rows without a sum across lanes. Included once for each instruction
// set.
#if defined(POSENC_KERNELS_ATTENTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef POSENC_KERNELS_ATTENTION_INL_H_
#undef POSENC_KERNELS_ATTENTION_INL_H_
#else
#define POSENC_KERNELS_ATTENTION_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>

#include <limits>

#include "kernels/bits-inl.h"
#include "kernels/layer.h"

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

// Scores become probabilities, in place, and `dropped` what dropout leaves of them (the same place where nothing
// drops). log_sums (padded queries), or null: the logarithm of each query's sum of exponentials.
HWY_INLINE void BlockSoftmax(const LayerSizes& sizes, const HeadInput& head, const QueryBlock& block, float keep_factor,
                             float* scores, float* dropped, float* log_sums) {
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
      const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, column + j * block.padded), greatest));
      hn::StoreU(e, d, column + j * block.padded);
      sum = hn::Add(sum, e);
    }
    if (log_sums != nullptr) hn::StoreU(hn::Add(greatest, hn::Log(d, sum)), d, log_sums + t);
    const auto inverse = hn::Div(hn::Set(d, 1.0f), sum), kept = hn::Set(d, keep_factor);
    KeptKeys bits(head.kept, sizes.length, block.first + t, block.count - t);
    for (std::size_t j = 0; j < keys; ++j) {
      const auto p = hn::Mul(hn::LoadU(d, column + j * block.padded), inverse);
      hn::StoreU(p, d, column + j * block.padded);
      if (head.kept != nullptr) hn::StoreU(hn::Mul(p, bits.factor(j, kept)), d, dropped + t + j * block.padded);
    }
    for (std::size_t j = keys; j < block.keys; ++j) {
      hn::StoreU(hn::Zero(d), d, column + j * block.padded);
      if (head.kept != nullptr) hn::StoreU(hn::Zero(d), d, dropped + t + j * block.padded);
    }
  }
}

// context (L,d), rows context_row apart. probabilities: (keys, padded L) to keep, or null; log_sums (padded L) to keep
// instead, or null.
HWY_INLINE void AttentionForward(const LayerSizes& sizes, const HeadInput& head, float keep_factor, float* context,
                                 std::ptrdiff_t context_row, float* probabilities, float* log_sums, float* scratch) {
  const std::size_t width = sizes.head_width(), step = padded(query_block(sizes.length));
  float *queries = scratch, *out = queries + width * step, *scores = out + width * step,
        *dropped_scratch = scores + sizes.length * step;
  ForEachQueryBlock(sizes, [&](const QueryBlock& block) {
    float* p = probabilities != nullptr ? probabilities : scores;  // kept where one block is all
    float* dropped = head.kept != nullptr ? dropped_scratch : p;
    BlockScores(sizes, head, block, queries, p);
    BlockSoftmax(sizes, head, block, keep_factor, p, dropped, log_sums == nullptr ? nullptr : log_sums + block.first);
    const auto padded_row = static_cast<std::ptrdiff_t>(block.padded);
    Gemm(width, block.padded, block.keys, {head.v, 1, head.row}, dropped, padded_row, {}, out, padded_row);
    Transpose(width, block.count, out, padded_row, context + static_cast<std::ptrdiff_t>(block.first) * context_row,
              context_row);
  });
}

// What the backward pass of one head reads and adds to.
struct HeadGradient {
  const float* context;  // (L,d) as forward left it, and the gradient that came for it
  const float* d_context;
  std::ptrdiff_t context_row;
  const float* probabilities;  // as forward kept them: one of these two
  const float* log_sums;
  float *dq, *dk, *dv;  // (L,d), rows head.row apart: overwritten
  float* d_bias;        // transposed (keys, padded L): added to, or null
  float* d_scores;      // (L,L), query by key: overwritten, or null
};

HWY_INLINE void AttentionBackward(const LayerSizes& sizes, const HeadInput& head, float keep_factor,
                                  const HeadGradient& g, float* scratch) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), width = sizes.head_width(), step = padded(query_block(sizes.length));
  float *queries = scratch, *d_out = queries + width * step, *out = d_out + width * step, *scores = out + width * step,
        *dropped = scores + sizes.length * step, *d_scores = dropped + sizes.length * step;
  const bool one_block = query_block(sizes.length) >= sizes.length;
  if (!one_block)
    for (std::size_t j = 0; j < sizes.length; ++j)
      for (float* rows : {g.dk, g.dv}) std::fill_n(rows + static_cast<std::ptrdiff_t>(j) * head.row, width, 0.0f);
  if (g.d_scores != nullptr && sizes.causal) std::fill_n(g.d_scores, sizes.length * sizes.length, 0.0f);
  const auto kept = hn::Set(d, keep_factor), scale = hn::Set(d, sizes.score_scale);
  ForEachQueryBlock(sizes, [&](const QueryBlock& block) {
    const auto row = static_cast<std::ptrdiff_t>(block.padded);
    const float* d_rows = g.d_context + static_cast<std::ptrdiff_t>(block.first) * g.context_row;
    if (block.padded != block.count) std::fill_n(d_out, 2 * width * step, 0.0f);
    Transpose(block.count, width, d_rows, g.context_row, d_out, row);
    Transpose(block.count, width, g.context + static_cast<std::ptrdiff_t>(block.first) * g.context_row, g.context_row,
              out, row);
    const float* p = g.probabilities;
    if (p == nullptr) {
      BlockScores(sizes, head, block, queries, scores);
      p = scores;
    }
    Gemm(block.keys, block.padded, width, {head.v, head.row, 1}, d_out, row, {}, d_scores, row);
    for (std::size_t t = 0; t < block.count; t += n) {
      auto dot = hn::Zero(d);  // sum over keys of probability times gradient, which is context . d_context
      for (std::size_t c = 0; c < width; ++c)
        dot = hn::MulAdd(hn::LoadU(d, out + c * block.padded + t), hn::LoadU(d, d_out + c * block.padded + t), dot);
      KeptKeys bits(head.kept, sizes.length, block.first + t, block.count - t);
      const Visible visible(sizes.causal, block.first + t);
      const auto log_sum = g.probabilities != nullptr ? hn::Zero(d) : hn::LoadU(d, g.log_sums + block.first + t);
      for (std::size_t j = 0; j < block.keys; ++j) {
        const std::size_t at = j * block.padded + t;
        auto probability = hn::LoadU(d, p + at);
        if (g.probabilities == nullptr) {
          probability = hn::Exp(d, hn::Sub(probability, log_sum));
          if (!visible.all(j)) probability = hn::IfThenZeroElse(visible.hidden(j), probability);
        }
        const auto left = head.kept == nullptr ? probability : hn::Mul(probability, bits.factor(j, kept));
        hn::StoreU(left, d, dropped + at);
        // p (m s dP - dot)
        const auto ds = hn::NegMulAdd(probability, dot, hn::Mul(left, hn::LoadU(d, d_scores + at)));
        if (g.d_bias != nullptr) {
          float* to = g.d_bias + j * padded(sizes.length) + block.first + t;
          hn::StoreU(hn::Add(hn::LoadU(d, to), ds), d, to);
        }
        hn::StoreU(ds, d, d_scores + at);
      }
    }
    if (g.d_scores != nullptr)
      Transpose(block.keys, block.count, d_scores, row, g.d_scores + block.first * sizes.length,
                static_cast<std::ptrdiff_t>(sizes.length));
    for (std::size_t at = 0; at < block.keys * block.padded; at += n)
      hn::StoreU(hn::Mul(hn::LoadU(d, d_scores + at), scale), d, d_scores + at);

    const auto start = [&](float* rows) { return one_block ? Start{} : Start{rows, head.row}; };
    Gemm(block.keys, width, block.count, {dropped, row, 1}, d_rows, g.context_row, start(g.dv), g.dv, head.row);
    Gemm(block.keys, width, block.count, {d_scores, row, 1},
         head.q + static_cast<std::ptrdiff_t>(block.first) * head.row, head.row, start(g.dk), g.dk, head.row);
    Gemm(width, block.padded, block.keys, {head.k, 1, head.row}, d_scores, row, {}, queries, row);
    Transpose(width, block.count, queries, row, g.dq + static_cast<std::ptrdiff_t>(block.first) * head.row, head.row);
  });
}

}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
