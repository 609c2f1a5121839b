#include "training/dataset.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/DistributionsHelper.h>
#include <fmt/format.h>

#include "posenc/error.h"

namespace posenc {
namespace {

class GeneratorSampler : public Sampler {
 public:
  explicit GeneratorSampler(at::Generator& generator)
      : generator_(at::check_generator<at::CPUGeneratorImpl>(generator)) {}

  std::int64_t below(std::int64_t bound) override {
    at::uniform_int_from_to_distribution<std::int64_t> uniform(static_cast<uint64_t>(bound), /*base=*/0);
    return uniform(generator_);
  }

 private:
  at::CPUGeneratorImpl* generator_;
};

}  // namespace

Dataset Dataset::rows(const torch::Tensor& which) const {
  if (!tokens.is_cpu()) return {tokens.index_select(/*dim=*/0, which), labels.index_select(/*dim=*/0, which)};
  // A few rows are copied in less time than an operator takes to begin.
  const int64_t count = which.numel();
  Dataset some{torch::empty({count, length()}, torch::kInt64), torch::empty({count}, torch::kInt64)};
  const int64_t *place = which.const_data_ptr<int64_t>(), *from = tokens.const_data_ptr<int64_t>(),
                *label = labels.const_data_ptr<int64_t>();
  int64_t *to = some.tokens.mutable_data_ptr<int64_t>(), *to_label = some.labels.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    std::copy_n(from + place[i] * length(), length(), to + i * length());
    to_label[i] = label[place[i]];
  }
  return some;
}

std::vector<int64_t> Dataset::class_counts(int64_t classes) const {
  const torch::Tensor here = labels.cpu();
  std::vector<int64_t> counts(static_cast<std::size_t>(classes), 0);
  for (int64_t i = 0; i < size(); ++i) ++counts[static_cast<std::size_t>(here.const_data_ptr<int64_t>()[i])];
  return counts;
}

Dataset draw_dataset(const Task& task, int64_t count, int64_t length, int64_t vocab, at::Generator& generator) {
  return draw_dataset(task, count, length, vocab, generator, nullptr);
}

Dataset draw_dataset(const Task& task, int64_t count, int64_t length, int64_t vocab, at::Generator& generator,
                     const std::function<bool(std::span<const int64_t>)>& wanted) {
  constexpr int kMostTries = 1'000'000;
  GeneratorSampler sampler(generator);
  Dataset data{torch::empty({count, length}, torch::kInt64), torch::empty({count}, torch::kInt64)};
  int64_t* tokens = data.tokens.mutable_data_ptr<int64_t>();
  int64_t* labels = data.labels.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    const std::span<int64_t> row(tokens + i * length, static_cast<std::size_t>(length));
    int tries = 0;
    do {
      if (++tries > kMostTries)
        throw Error(
            fmt::format("--holdout-pairs leaves no sequence of {} tokens (none of a million is on its side)", length));
      task.draw(sampler, vocab, row);
    } while (wanted && !wanted(row));
    labels[i] = task.label(row);
  }
  return data;
}

}  // namespace posenc
