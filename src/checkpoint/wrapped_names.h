// Names of tensors as a wrapper around the model spells them: torch.compile, DataParallel and others put a part of their
// own in front of each name, or into it.
#pragma once

#include <string>
#include <vector>

namespace posenc {

// What to say when `surplus`, the names that only the file has, are names of `missing`, those that only the model has,
// but for one part: which part, who adds it, and how to remove it. Empty when that is not so.
std::string explain_wrapped_names(const std::vector<std::string>& missing, const std::vector<std::string>& surplus);

}  // namespace posenc
