#include "checkpoint/pickle.h"

#include "checkpoint/hand_made.h"
#include "posenc/error.h"
#include "support/catch.h"

using namespace posenc;

namespace {

std::string refusal(const std::string& pickle) {
  try {
    read_pickle(pickle);
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::usage);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    CHECK(std::string(error.what()).size() < 1000);
    return error.what();
  }
  return "";
}

std::string refusal(const PickledTensor& tensor) { return refusal(pickled_dict({{"w", tensor.pickle()}})); }

}  // namespace

TEST_CASE("a dict of tensors is read in its order", "[checkpoint]") {
  PickledTensor matrix;
  matrix.shape = {2, 3};
  matrix.stride = {1, 2};
  matrix.offset = 4;
  matrix.storage_size = 10;
  matrix.key = "7";
  const std::vector<TensorEntry> tensors =
      read_pickle(pickled_dict({{"z.weight", matrix.pickle()}, {"a", PickledTensor().pickle()}}));
  REQUIRE(tensors.size() == 2);
  CHECK(tensors[0].name == "z.weight");
  CHECK(tensors[0].shape == std::vector<std::int64_t>{2, 3});
  CHECK(tensors[0].stride == std::vector<std::int64_t>{1, 2});
  CHECK(tensors[0].offset == 4);
  CHECK(tensors[0].storage == "7");
  CHECK(tensors[0].storage_size == 10);
  CHECK(tensors[1].name == "a");
  CHECK(read_pickle("\x80\x02}.").empty());
}

TEST_CASE("an OrderedDict with its metadata, and parameters, are read", "[checkpoint]") {
  const std::string dict = global("collections", "OrderedDict") + ")R";
  const std::string parameter =
      global("torch._utils", "_rebuild_parameter") + PickledTensor().pickle() + "\x88" + dict + "\x87R";
  const std::string metadata = "}" + text("_metadata") + dict + text("") + "}" + text("version") + "K\1sssb";
  const std::vector<TensorEntry> tensors =
      read_pickle("\x80\x02" + dict + text("p") + parameter + "s" + metadata + ".");
  REQUIRE(tensors.size() == 1);
  CHECK(tensors[0].name == "p");
}

TEST_CASE("a pickle that would run code is refused by the name of what it asks for", "[checkpoint]") {
  CHECK_THAT(refusal("\x80\x02" + global("os", "system") + text("echo hello") + "\x85R."),
             StartsWith("global os.system is not allowed"));
  CHECK_THAT(refusal("\x80\x02" + global("builtins", "eval") + "."), StartsWith("global builtins.eval is not allowed"));
  CHECK_THAT(refusal("\x80\x02" + text("posix") + text("system") + "\x93."),
             StartsWith("global posix.system is not allowed"));
  CHECK_THAT(refusal("(S'echo'\nios\nsystem\n."), StartsWith("pickle opcode STRING is not allowed"));
  CHECK_THAT(refusal("(ios\nsystem\n."), StartsWith("pickle opcode INST is not allowed (given at byte 1"));
  CHECK_THAT(refusal("\x80\x02" + global("collections", "OrderedDict") + ")\x81."),
             StartsWith("pickle opcode NEWOBJ is not allowed"));
  CHECK_THAT(refusal("\x80\x04\x95."), StartsWith("pickle opcode PROTO 4 is not allowed"));
  CHECK_THAT(refusal(global("torch.os", "system\x1b[2J")), StartsWith("global torch.os.system\\x1b[2J is not allowed"));
  CHECK_THAT(refusal(global("torch", "Float.Storage")), StartsWith("global torch.Float.Storage is not allowed"));
  CHECK_THAT(refusal(global("torch.", "FloatStorage")), StartsWith("global torch..FloatStorage is not allowed"));
  CHECK_THAT(refusal("\x07"), StartsWith("pickle opcode 0x07 is not allowed"));
}

TEST_CASE("every byte that is not of a state dict's opcodes is refused by name", "[checkpoint]") {
  const std::string allowed = ".(JKMQRXbc}hjqrst)u\x80\x85\x86\x87\x88\x89\x8a\x93";
  for (int code = 0; code < 256; ++code) {
    const std::string message = refusal(std::string(1, static_cast<char>(code)) + std::string(20, '('));
    const bool is_allowed = allowed.find(static_cast<char>(code)) != std::string::npos;
    CHECK((message.find("is not allowed") == std::string::npos) == (is_allowed && code != 0x80 && code != 0x93));
  }
}

TEST_CASE("operands that do not fit their opcode are refused", "[checkpoint]") {
  for (const std::string pickle :
       {".",         "0",        "\x85.", "t.",     "u.",     "s.",      "R.",
        "b.",        "Q.",       "q\0.",  "h\5.",   "(.",     "}(u(.",   "K\1.",
        "}K\1K\1s.", "}}b}b(q.", ")Q.",   "}K\1u.", "(K\1u.", "}(K\1u.", "K\1(X\0\0\0\0K\1u.",
        "(q\1"})
    CHECK_FALSE(refusal(pickle).empty());
  const std::string dict = global("collections", "OrderedDict");
  CHECK_THAT(refusal(dict + "K\1\x85R."), StartsWith("pickle opcode REDUCE does not fit its operands"));
  CHECK_THAT(refusal(global("torch", "FloatStorage") + ")R."), StartsWith("pickle opcode REDUCE does not fit"));
  CHECK_THAT(refusal(global("torch._utils", "_rebuild_tensor_v2") + ")R."),
             StartsWith("pickle opcode REDUCE does not"));
  CHECK_THAT(refusal("}q\1."), StartsWith("pickle opcode BINPUT does not fit"));
  CHECK_THAT(refusal("}r\xff\xff\xff\xff."), StartsWith("pickle opcode LONG_BINPUT does not fit"));
}

TEST_CASE("a pickle that ends early is refused wherever it ends", "[checkpoint]") {
  const std::string whole = pickled_dict({{"w", PickledTensor().pickle()}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(refusal(whole.substr(0, length)) == "the pickle ends too early");
  CHECK(refusal(whole).empty());
}

TEST_CASE("tensors of another type, other values and names that stand twice are refused by name", "[checkpoint]") {
  PickledTensor tensor;
  tensor.type = "DoubleStorage";
  CHECK(refusal(tensor) == "w has the wrong type (given float64, allowed: float32)");
  tensor.type = "BoolStorage";
  CHECK(refusal(tensor) == "w has the wrong type (given bool, allowed: float32)");
  tensor.type = "QInt8Storage";
  CHECK_THAT(refusal(tensor), StartsWith("global torch.QInt8Storage is not allowed"));
  CHECK_THAT(refusal(pickled_dict({{"epoch", number(3)}})), StartsWith("epoch is not a tensor"));
  CHECK_THAT(refusal(pickled_dict({{"model", "}"}})), StartsWith("model is not a tensor"));
  const std::string good = PickledTensor().pickle();
  CHECK(refusal(pickled_dict({{"w", good}, {"v", good}, {"w", good}})) == "w is there twice");
  CHECK_THAT(refusal(pickled_dict({{std::string(300, 'n'), good}})),
             StartsWith("the pickle holds a text of 300 bytes"));
  CHECK_THAT(refusal("X\xff\xff\xff\xff."), StartsWith("the pickle holds a text of 4294967295 bytes"));
  CHECK_THAT(refusal("\x8a\xff"), StartsWith("the pickle holds a number of 255 bytes"));
}

TEST_CASE("a tensor must lie inside its storage", "[checkpoint]") {
  struct Case {
    std::vector<std::int64_t> shape, stride;
    std::int64_t offset, storage_size;
    bool fits;
  };
  constexpr std::int64_t kHuge = std::int64_t{1} << 40, kMost = INT64_MAX, kLeast = INT64_MIN;
  const std::vector<Case> cases = {
      {{}, {}, 0, 1, true},
      {{}, {}, 1, 1, false},
      {{}, {}, 0, 0, false},
      {{0}, {1}, 0, 0, true},
      {{0}, {1}, 1, 0, false},
      {{kHuge, 0}, {1, 1}, 0, 0, true},
      {{2, 3}, {3, 1}, 0, 6, true},
      {{2, 3}, {1, 2}, 0, 6, true},
      {{2, 3}, {3, 1}, 1, 6, false},
      {{2, 3}, {4, 1}, 0, 6, false},
      {{2}, {-1}, 1, 6, false},
      {{-2}, {1}, 0, 6, false},
      {{2}, {1}, -1, 6, false},
      {{2}, {1}, 5, 6, false},
      {{2}, {1}, kMost, 6, false},
      {{kHuge}, {1}, 0, 6, false},
      {{kHuge}, {0}, 0, 6, false},
      {{kHuge, kHuge}, {0, 0}, 0, 6, false},
      {{kHuge, kHuge}, {1, 1}, 0, kMost, false},
      {{kHuge, kHuge, 0}, {1, 1, 1}, 0, 6, false},
      {{2, 2}, {kMost, kMost}, 0, kMost, false},
      {{kMost, kMost}, {kMost, kMost}, kMost, kMost, false},
      {{kLeast}, {kLeast}, kLeast, kMost, false},
      {{1, 1}, {kMost, kMost}, 0, 1, true},
      {{2}, {1}, 0, -1, false},
      {{2, 2}, {1}, 0, 6, false},
      {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}, 0, 6, true},
      {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, 6, false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("case " << i);
    PickledTensor tensor;
    tensor.shape = cases[i].shape;
    tensor.stride = cases[i].stride;
    tensor.offset = cases[i].offset;
    tensor.storage_size = cases[i].storage_size;
    CHECK(refusal(tensor).empty() == cases[i].fits);
  }
}

TEST_CASE("a pickle that grows without end is stopped", "[checkpoint]") {
  const std::size_t count = std::size_t{1} << 22;
  for (const char opcode : {'(', ')', '}', '\x88'})
    CHECK_THAT(refusal(std::string(count, opcode)), StartsWith("the pickle is too long"));
  // A dict that holds itself is refused for what it is, without recursion.
  CHECK_FALSE(refusal("}q" + std::string(1, '\0') + "X" + little(1, 4) + "ah" + std::string(1, '\0') + "s.").empty());
}
