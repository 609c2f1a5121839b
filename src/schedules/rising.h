// How schedules rise to the learning rate.
#pragma once

#include <cstdint>

namespace posenc {

// 1/N, 2/N, ... 1 in the first N = `over` steps, and then 1, as torch.optim.lr_scheduler.LinearLR.
inline double rising(std::int64_t step, std::int64_t over) {
  return step + 1 >= over ? 1 : static_cast<double>(step + 1) / static_cast<double>(over);
}

}  // namespace posenc
