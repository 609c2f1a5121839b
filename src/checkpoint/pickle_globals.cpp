#include "checkpoint/pickle_globals.h"

#include <fmt/format.h>

#include "checkpoint/printable.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr PickleGlobal kGlobals[] = {
    {"collections.OrderedDict", PickleGlobal::Kind::dict},
    {"torch._utils._rebuild_tensor_v2", PickleGlobal::Kind::tensor},
    {"torch._utils._rebuild_parameter", PickleGlobal::Kind::parameter},
    {"torch.FloatStorage", PickleGlobal::Kind::storage, "float32"},
    // No model here has the types below. They are known so that the tensor that has one can be named.
    {"torch.DoubleStorage", PickleGlobal::Kind::storage, "float64"},
    {"torch.HalfStorage", PickleGlobal::Kind::storage, "float16"},
    {"torch.BFloat16Storage", PickleGlobal::Kind::storage, "bfloat16"},
    {"torch.LongStorage", PickleGlobal::Kind::storage, "int64"},
    {"torch.IntStorage", PickleGlobal::Kind::storage, "int32"},
    {"torch.ShortStorage", PickleGlobal::Kind::storage, "int16"},
    {"torch.CharStorage", PickleGlobal::Kind::storage, "int8"},
    {"torch.ByteStorage", PickleGlobal::Kind::storage, "uint8"},
    {"torch.BoolStorage", PickleGlobal::Kind::storage, "bool"},
    {"torch.ComplexFloatStorage", PickleGlobal::Kind::storage, "complex64"},
    {"torch.ComplexDoubleStorage", PickleGlobal::Kind::storage, "complex128"},
};

}  // namespace

const PickleGlobal& find_pickle_global(std::string_view module, std::string_view name) {
  for (const PickleGlobal& known : kGlobals) {
    const std::size_t dot = known.name.rfind('.');
    if (known.name.substr(0, dot) == module && known.name.substr(dot + 1) == name) return known;
  }
  throw Error(fmt::format("global {}.{} is not allowed (allowed: those of a dict of tensors)", printable(module),
                          printable(name)));
}

}  // namespace posenc
