// The sum of all tokens by a modulus: what parity, mod-sum and cycle-navigation ask.
#pragma once

#include <memory>

#include "posenc/task.h"

namespace posenc {

// (sum of (token + shift)) mod `modulus`, 0..modulus-1
std::unique_ptr<Task> residue_sum(std::int64_t modulus, std::int64_t shift = 0);

}  // namespace posenc
