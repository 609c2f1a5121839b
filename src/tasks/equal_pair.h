// Whether the tokens at two places are equal, in half of the sequences: what first-last-equal and repeat-at ask.
#pragma once

#include <memory>

#include "posenc/task.h"

namespace posenc {

// The first token and the one at `place`, counted from 0, or from the end where it is negative.
std::unique_ptr<Task> equal_pair(std::int64_t place);

}  // namespace posenc
