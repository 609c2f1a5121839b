// Where a checkpoint's tensor lies. No torch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace posenc {

// A float32 tensor inside a storage, whose values lie elsewhere in the archive. All numbers count elements.
struct TensorEntry {
  std::string name;
  std::vector<std::int64_t> shape, stride;  // of one length
  std::int64_t offset;
  std::string storage;  // its key
  std::int64_t storage_size;
};

// Whether every element lies inside the storage, and the tensor has no more elements than the storage. Any numbers.
bool lies_inside_storage(const TensorEntry& tensor);

}  // namespace posenc
