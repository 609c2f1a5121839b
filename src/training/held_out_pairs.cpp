#include "training/held_out_pairs.h"

#include "config/held_out.h"
#include "training/random_streams.h"

namespace posenc {

HeldOutPairs::HeldOutPairs(const RunConfig& config) : vocab_(config.vocab) {
  if (config.holdout_pairs == 0) return;
  const int64_t pairs = vocab_ * vocab_;
  held_.assign(static_cast<std::size_t>(pairs), false);
  const torch::Tensor order = torch::randperm(pairs, data_generator(config, "held-out pairs", 0), torch::kInt64);
  for (int64_t i = 0; i < held_out_pairs(config); ++i)
    held_[static_cast<std::size_t>(order.const_data_ptr<int64_t>()[i])] = true;
}

}  // namespace posenc
