// The Python names that a pickled state dict holds. Nothing is ever called: the reader knows what each would make.
#pragma once

#include <string_view>

namespace posenc {

struct PickleGlobal {
  enum class Kind { dict, tensor, parameter, storage };
  std::string_view name;  // with its module
  Kind kind;
  std::string_view dtype = "";  // of a storage
};

// Throws Error, with the name, when it is not one of those.
const PickleGlobal& find_pickle_global(std::string_view module, std::string_view name);

}  // namespace posenc
