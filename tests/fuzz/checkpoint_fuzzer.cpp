// libFuzzer's entry to the readers of checkpoints: scripts/fuzz_checkpoint.sh builds and runs it.
// The first byte decides what the rest is: a whole file, or a pickle (which a file only holds with the right CRC).
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checkpoint/tensor_index.h"
#include "posenc/error.h"

namespace {

// What a caller relies on: each tensor's elements lie in its storage.
void check(const posenc::TensorEntry& tensor) {
  if (tensor.shape.size() != tensor.stride.size()) __builtin_trap();
  std::uint64_t last = static_cast<std::uint64_t>(tensor.offset);
  bool empty = false;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.shape[i] < 0 || tensor.stride[i] < 0) __builtin_trap();
    empty |= tensor.shape[i] == 0;
    if (tensor.shape[i] > 0)
      last += static_cast<std::uint64_t>(tensor.shape[i] - 1) * static_cast<std::uint64_t>(tensor.stride[i]);
  }
  if (!empty && last >= static_cast<std::uint64_t>(tensor.storage_size)) __builtin_trap();
}

void read_file(std::string_view bytes) {
  const posenc::Archive archive = posenc::Archive::of_bytes(bytes);
  for (const posenc::TensorEntry& tensor : posenc::read_index(archive)) {
    check(tensor);
    const posenc::ArchiveEntry& entry = posenc::storage_entry(archive, tensor);
    if (entry.size > bytes.size()) __builtin_trap();
    archive.read(entry);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] == 'P')
      for (const posenc::TensorEntry& tensor : posenc::read_pickle(bytes)) check(tensor);
    else
      read_file(bytes);
  } catch (const posenc::Error& error) {
    for (const char* c = error.what(); *c != '\0'; ++c)
      if (*c < ' ' || *c > '~') __builtin_trap();  // one line, and nothing for a terminal to obey
  }
  return 0;
}
