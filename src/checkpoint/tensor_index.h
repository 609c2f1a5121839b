// What a checkpoint says that it holds, checked against what its archive does hold. No torch.
#pragma once

#include <vector>

#include "checkpoint/archive.h"
#include "checkpoint/pickle.h"

namespace posenc {

// The tensors of the archive, in the file's order. Every storage they name is there (storage_entry) with the size they
// say. Throws Error when that is not so.
std::vector<TensorEntry> read_index(const Archive& archive);

// The archive's entry with the storage of `tensor`, an element of read_index(archive).
const ArchiveEntry& storage_entry(const Archive& archive, const TensorEntry& tensor);

}  // namespace posenc
