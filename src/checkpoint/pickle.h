// A reader of the one kind of pickle that a checkpoint needs: a dict of float32 tensors, as torch.save and
// torch::jit::Pickler write it with protocol 2. It executes nothing: a pickle that asks for more is refused. No torch.
#pragma once

#include <string_view>
#include <vector>

#include "checkpoint/tensor_entry.h"

namespace posenc {

// The tensors of a pickled state dict, in its order. Every element of each lies inside its storage, and none has more
// elements than its storage. The memory it takes has a bound that does not depend on `pickle`, plus its size.
// Throws Error, naming the opcode, global or tensor, when it is anything else.
std::vector<TensorEntry> read_pickle(std::string_view pickle);

}  // namespace posenc
