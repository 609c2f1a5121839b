#include "config/memory.h"

#include "config/resolve.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/small_catalog.h"

using namespace posenc;

namespace {

double needed(std::initializer_list<std::pair<const std::string, std::string>> given) {
  return memory_needed(resolve(flags(given), small_catalog()).config, small_catalog());
}

}  // namespace

TEST_CASE("the default run is small and a huge one is seen before it is tried", "[config]") {
  CHECK(needed({}) < 3e8);
  CHECK(needed({{"seq-len", "2147483647"}}) > 1e18);
  CHECK(needed({{"train-size", "2147483647"}}) > 2e11);
  CHECK(needed({{"vocab", "2147483647"}, {"d-model", "2147483644"}}) > 1e19);
  CHECK(needed({{"max-len", "2147483647"}}) > 1e12);
  CHECK(needed({{"layers", "2147483647"}}) > 1e13);
}

TEST_CASE("what does not fit is refused with both figures", "[config]") {
  const RunConfig config = resolve(flags({{"train-size", "2147483647"}, {"seq-len", "2000"}}), small_catalog()).config;
  CHECK_THROWS_WITH(check_memory(config, small_catalog()),
                    StartsWith("the run needs about 34.4 TB of memory and ") &&
                        ContainsSubstring("(most of it for --train-size 2147483647, --seq-len 2000)"));
  CHECK_NOTHROW(check_memory(resolve(flags({}), small_catalog()).config, small_catalog()));
}

TEST_CASE("the option at fault is the one that is named", "[config]") {
  const auto culprit = [](std::initializer_list<std::pair<const std::string, std::string>> given) -> std::string {
    try {
      check_memory(resolve(flags(given), small_catalog()).config, small_catalog());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  for (const char* option : {"train-size", "val-size", "vocab", "max-len", "layers", "ffn", "seq-len"})
    CHECK_THAT(culprit({{option, "2147483647"}}), ContainsSubstring(std::string("--") + option + " 2147483647"));
}

TEST_CASE("bytes are written for people", "[config]") {
  CHECK(bytes_text(512) == "512 B");
  CHECK(bytes_text(1.5e9) == "1.5 GB");
  CHECK(bytes_text(2e18) == "2 EB");
}
