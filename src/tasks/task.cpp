#include "posenc/task.h"

namespace posenc {

void Task::draw(Sampler& sampler, std::int64_t vocab, std::span<std::int64_t> tokens) const {
  for (std::int64_t& token : tokens) token = sampler.below(vocab);
}

}  // namespace posenc
