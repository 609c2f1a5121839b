#include "encodings/table.h"

namespace posenc {

int64_t last_position(const torch::Tensor& positions) {
  return positions.const_data_ptr<int64_t>()[positions.numel() - 1];
}

torch::Tensor table_rows(const torch::Tensor& table, const torch::Tensor& positions) {
  const int64_t length = positions.numel();
  const int64_t first = positions.const_data_ptr<int64_t>()[0];
  const bool consecutive = last_position(positions) - first == length - 1;  // since they rise
  if (consecutive) return table.narrow(/*dim=*/0, first, length);
  return table.index_select(/*dim=*/0, positions.to(table.device()));
}

}  // namespace posenc
