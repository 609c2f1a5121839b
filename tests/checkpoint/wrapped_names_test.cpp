#include "checkpoint/wrapped_names.h"

#include "support/catch.h"

using namespace posenc;

TEST_CASE("a part that a wrapper puts in front of every name is named in one short line", "[checkpoint]") {
  const std::string text =
      explain_wrapped_names({"_emb.weight", "norm.bias"}, {"module._emb.weight", "module.norm.bias"});
  CHECK(text ==
        "its tensors' names have 'module.' in front, which DataParallel or DistributedDataParallel adds (remove it in "
        "Python: {name.replace('module.', ''): tensor for name, tensor in state.items()})");
}

TEST_CASE("a part is found inside names, of unknown wrappers, and twice", "[checkpoint]") {
  CHECK_THAT(explain_wrapped_names({"encoder.layers.0.bias"}, {"encoder._orig_mod.layers.0.bias"}),
             StartsWith("its tensors' names have '_orig_mod.' in them, which torch.compile adds"));
  CHECK_THAT(explain_wrapped_names({"a.weight"}, {"net.body.a.weight", "net.body.b"}),
             StartsWith("its tensors' names have 'net.body.' in front (remove it"));
  CHECK_THAT(explain_wrapped_names({"a"}, {"module._orig_mod.a"}),
             StartsWith("its tensors' names have 'module._orig_mod.' in front (remove it"));
  CHECK_THAT(explain_wrapped_names({"a"}, {"x\x1b[31m'.a"}), ContainsSubstring("'x\\x1b[31m"));
}

TEST_CASE("names of another model are not explained by a wrapper", "[checkpoint]") {
  CHECK(explain_wrapped_names({"a"}, {}).empty());
  CHECK(explain_wrapped_names({}, {"module.a"}).empty());  // the model has it already: it is one more
  CHECK(explain_wrapped_names({"a", "b"}, {"module.a", "c"}).empty());
  CHECK(explain_wrapped_names({"a"}, {"mymodule_a", "a.module"}).empty());
  CHECK(explain_wrapped_names({"layers.0.bias"}, {"layers.1.bias", "layers.1.weight"}).empty());
}
