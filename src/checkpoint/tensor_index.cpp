#include "checkpoint/tensor_index.h"

#include <fmt/format.h>

#include "checkpoint/printable.h"
#include "posenc/error.h"

namespace posenc {

std::vector<TensorEntry> read_index(const Archive& archive) {
  // Files of older torch have no byteorder; they are little-endian.
  const ArchiveEntry* order = archive.find("byteorder");
  if (order != nullptr && archive.read(*order) != "little")
    throw Error(fmt::format("the numbers are not little-endian (given byteorder {})", printable(archive.read(*order))));
  std::vector<TensorEntry> tensors = read_pickle(archive.read(*archive.find("data.pkl")));
  for (const TensorEntry& tensor : tensors) {
    const std::uint64_t bytes = storage_entry(archive, tensor).size;
    if (bytes % sizeof(float) != 0 || bytes / sizeof(float) != static_cast<std::uint64_t>(tensor.storage_size))
      throw Error(fmt::format("the storage of {} has the wrong size (given {} numbers, the archive holds {} bytes)",
                              printable(tensor.name), tensor.storage_size, bytes));
  }
  return tensors;
}

const ArchiveEntry& storage_entry(const Archive& archive, const TensorEntry& tensor) {
  const ArchiveEntry* entry = archive.find("data/" + tensor.storage);
  if (entry == nullptr)
    throw Error(fmt::format("the storage of {} is not in the archive (given data/{})", printable(tensor.name),
                            printable(tensor.storage)));
  return *entry;
}

}  // namespace posenc
