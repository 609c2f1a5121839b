// What LibTorch is given of the machine.
#pragma once

#include <cstdint>

namespace posenc {

// Throws Error (usage) where this machine cannot start `threads` threads inside an operator: LibTorch would wait for
// them for ever, and its OpenMP would end the process.
void check_threads(std::int64_t threads);

// check_threads(); from here on LibTorch's operators use that many in the calling thread.
void use_threads(std::int64_t threads);

}  // namespace posenc
