#include "checkpoint/tensor_entry.h"

#include <algorithm>

namespace posenc {

bool lies_inside_storage(const TensorEntry& tensor) {
  const auto negative = [](std::int64_t number) { return number < 0; };
  if (tensor.offset < 0 || std::any_of(tensor.shape.begin(), tensor.shape.end(), negative) ||
      std::any_of(tensor.stride.begin(), tensor.stride.end(), negative))
    return false;
  bool empty = false;
  std::int64_t count = 1, last = tensor.offset;  // of the elements, were no dimension 0
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::int64_t size = std::max<std::int64_t>(tensor.shape[i], 1);
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(count, size, &count) || __builtin_mul_overflow(size - 1, tensor.stride[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return false;
    empty |= tensor.shape[i] == 0;
  }
  if (empty) return tensor.offset <= tensor.storage_size;
  return last < tensor.storage_size && count <= tensor.storage_size;
}

}  // namespace posenc
