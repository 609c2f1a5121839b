#include "kernels/head.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/head.cpp"
#include "kernels/targets.h"
// After it:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace posenc::kernels::HWY_NAMESPACE {
namespace {

void EmbeddingForward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* weight, const float* added,
                      float* out) {
  const FloatTag d;
  const std::size_t columns = sizes.d_model;
  for (std::size_t b = 0; b < sizes.batch; ++b)
    for (std::size_t l = 0; l < sizes.length; ++l, ++tokens, out += columns) {
      const float* row = weight + static_cast<std::size_t>(*tokens) * columns;
      ForEachVector(columns, [&](std::size_t c, std::size_t n) {
        auto x = LoadFirst(d, row + c, n);
        if (added != nullptr) x = hn::Add(x, LoadFirst(d, added + l * columns + c, n));
        StoreFirst(x, d, out + c, n);
      });
    }
}

void EmbeddingBackward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* d_out, float* d_weight,
                       float* d_added) {
  const std::size_t columns = sizes.d_model, all = sizes.length * columns;
  if (d_added != nullptr) std::fill_n(d_added, all, 0.0f);
  for (std::size_t b = 0; b < sizes.batch; ++b, d_out += all) {
    if (d_added != nullptr) AddRow(all, d_out, d_added);
    for (std::size_t l = 0; l < sizes.length; ++l, ++tokens)
      AddRow(columns, d_out + l * columns, d_weight + static_cast<std::size_t>(*tokens) * columns);
  }
}

// One sequence's rows -> one row.
HWY_INLINE void PoolRows(const HeadSizes& sizes, const float* x, float* pooled) {
  const FloatTag d;
  const std::size_t columns = sizes.d_model;
  if (sizes.pooling == Pooling::first || sizes.pooling == Pooling::last) {
    std::copy_n(x + (sizes.pooling == Pooling::first ? 0 : sizes.length - 1) * columns, columns, pooled);
    return;
  }
  const bool mean = sizes.pooling == Pooling::mean;
  const auto share = hn::Set(d, 1.0f / static_cast<float>(sizes.length));
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto all = LoadFirst(d, x + c, n);
    for (std::size_t l = 1; l < sizes.length; ++l) {
      const auto row = LoadFirst(d, x + l * columns + c, n);
      all = mean ? hn::Add(all, row) : hn::IfThenElse(hn::Or(hn::Gt(row, all), hn::IsNaN(row)), row, all);
    }
    StoreFirst(mean ? hn::Mul(all, share) : all, d, pooled + c, n);
  });
}

HWY_INLINE void PoolRowsBackward(const HeadSizes& sizes, const float* x, const float* pooled, const float* d_pooled,
                                 float* dx) {
  const FloatTag d;
  const std::size_t columns = sizes.d_model;
  if (sizes.pooling == Pooling::first || sizes.pooling == Pooling::last) {
    std::fill_n(dx, sizes.length * columns, 0.0f);
    std::copy_n(d_pooled, columns, dx + (sizes.pooling == Pooling::first ? 0 : sizes.length - 1) * columns);
    return;
  }
  const auto one = hn::Set(d, 1.0f), share = hn::Set(d, 1.0f / static_cast<float>(sizes.length));
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    auto g = LoadFirst(d, d_pooled + c, n);
    if (sizes.pooling == Pooling::mean) {
      g = hn::Mul(g, share);
      for (std::size_t l = 0; l < sizes.length; ++l) StoreFirst(g, d, dx + l * columns + c, n);
      return;
    }
    const auto greatest = LoadFirst(d, pooled + c, n);
    auto count = hn::Zero(d);
    for (std::size_t l = 0; l < sizes.length; ++l)
      count = hn::Add(count, hn::IfThenElseZero(hn::Eq(LoadFirst(d, x + l * columns + c, n), greatest), one));
    g = hn::Div(g, count);
    for (std::size_t l = 0; l < sizes.length; ++l)
      StoreFirst(hn::IfThenElseZero(hn::Eq(LoadFirst(d, x + l * columns + c, n), greatest), g), d, dx + l * columns + c,
                 n);
  });
}

HWY_INLINE float Dot(std::size_t columns, const float* a, const float* b) {
  const FloatTag d;
  auto sum = hn::Zero(d);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    sum = hn::MulAdd(LoadFirst(d, a + c, n), LoadFirst(d, b + c, n), sum);
  });
  return Sum(sum);
}

// to += factor * from
HWY_INLINE void AddScaled(std::size_t columns, float factor, const float* from, float* to) {
  const FloatTag d;
  const auto by = hn::Set(d, factor);
  ForEachVector(columns, [&](std::size_t c, std::size_t n) {
    StoreFirst(hn::MulAdd(by, LoadFirst(d, from + c, n), LoadFirst(d, to + c, n)), d, to + c, n);
  });
}

void HeadLogits(const HeadSizes& sizes, const float* x, const float* weight, const float* bias, float* pooled,
                float* logits) {
  const std::size_t columns = sizes.d_model;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    PoolRows(sizes, x + b * sizes.length * columns, pooled + b * columns);
    for (std::size_t k = 0; k < sizes.classes; ++k)
      logits[b * sizes.classes + k] = bias[k] + Dot(columns, pooled + b * columns, weight + k * columns);
  }
}

void HeadBackward(const HeadSizes& sizes, const float* x, const float* weight, const float* pooled,
                  const float* probabilities, const std::int64_t* labels, float scale, float* dx, float* d_weight,
                  float* d_bias, float* d_pooled) {
  const std::size_t columns = sizes.d_model;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    std::fill_n(d_pooled, columns, 0.0f);
    for (std::size_t k = 0; k < sizes.classes; ++k) {
      const float wanted = static_cast<std::size_t>(labels[b]) == k ? 1.0f : 0.0f;
      const float d_logit = (probabilities[b * sizes.classes + k] - wanted) * scale / static_cast<float>(sizes.batch);
      d_bias[k] += d_logit;
      AddScaled(columns, d_logit, pooled + b * columns, d_weight + k * columns);
      AddScaled(columns, d_logit, weight + k * columns, d_pooled);
    }
    PoolRowsBackward(sizes, x + b * sizes.length * columns, pooled + b * columns, d_pooled,
                     dx + b * sizes.length * columns);
  }
}

}  // namespace
}  // namespace posenc::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace posenc::kernels {

HWY_EXPORT(EmbeddingForward);
HWY_EXPORT(EmbeddingBackward);
HWY_EXPORT(HeadLogits);
HWY_EXPORT(HeadBackward);

void embedding_forward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* weight, const float* added,
                       float* out) {
  HWY_DYNAMIC_DISPATCH(EmbeddingForward)(sizes, tokens, weight, added, out);
}

void embedding_backward(const EmbeddingSizes& sizes, const std::int64_t* tokens, const float* d_out, float* d_weight,
                        float* d_added) {
  HWY_DYNAMIC_DISPATCH(EmbeddingBackward)(sizes, tokens, d_out, d_weight, d_added);
}

void head_logits(const HeadSizes& sizes, const float* x, const float* weight, const float* bias, float* pooled,
                 float* logits) {
  HWY_DYNAMIC_DISPATCH(HeadLogits)(sizes, x, weight, bias, pooled, logits);
}

float head_loss(const HeadSizes& sizes, const float* logits, const std::int64_t* labels, float* probabilities) {
  double total = 0;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    const float* row = logits + b * sizes.classes;
    const float greatest = *std::max_element(row, row + sizes.classes);
    double sum = 0;
    for (std::size_t k = 0; k < sizes.classes; ++k) sum += std::exp(static_cast<double>(row[k] - greatest));
    const double log_sum = std::log(sum);
    for (std::size_t k = 0; k < sizes.classes; ++k)
      probabilities[b * sizes.classes + k] =
          static_cast<float>(std::exp(static_cast<double>(row[k] - greatest) - log_sum));
    total += log_sum - static_cast<double>(row[labels[b]] - greatest);
  }
  return static_cast<float>(total / static_cast<double>(sizes.batch));
}

void head_backward(const HeadSizes& sizes, const float* x, const float* weight, const float* pooled,
                   const float* probabilities, const std::int64_t* labels, float scale, float* dx, float* d_weight,
                   float* d_bias) {
  std::vector<float> d_pooled(sizes.d_model);
  HWY_DYNAMIC_DISPATCH(HeadBackward)
  (sizes, x, weight, pooled, probabilities, labels, scale, dx, d_weight, d_bias, d_pooled.data());
}

}  // namespace posenc::kernels
#endif
