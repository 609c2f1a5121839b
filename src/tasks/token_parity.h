// Whether the token at one place is odd: what first, last and kth ask.
#pragma once

#include <memory>

#include "posenc/task.h"

namespace posenc {

// Tokens of a vocabulary that are even, and that are odd.
inline std::vector<std::int64_t> even_and_odd(std::int64_t vocab) { return {(vocab + 1) / 2, vocab / 2}; }

// `place` from 0, or from the end where it is negative: -1 is the last.
std::unique_ptr<Task> token_parity(std::int64_t place);

}  // namespace posenc
