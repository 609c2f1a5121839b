// Rows of a position table, chosen by position and never by length alone.
#pragma once

#include <torch/torch.h>

namespace posenc {

int64_t last_position(const torch::Tensor& positions);

// table (M,D), positions (L) int64 on the CPU, rising and below M -> (L,D). A view where they are consecutive.
torch::Tensor table_rows(const torch::Tensor& table, const torch::Tensor& positions);

}  // namespace posenc
