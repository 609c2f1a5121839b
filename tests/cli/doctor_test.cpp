#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/command_line.h"

using namespace posenc;

TEST_CASE("the doctor finds nothing wrong here, and says what it measured", "[cli]") {
  const Outcome outcome = posenc_command("doctor --pos none,rope,alibi --task kth:k=2,modular-arithmetic --seq-len 9");
  CHECK(outcome.exit_code == 0);
  for (const char* check :
       {"permutation  none", "reversal     alibi", "shift        rope", "causality    rope", "evaluation   none",
        "gradients    rope", "differences  alibi", "kernels      rope", "pairing      alibi", "labels       kth:k=2",
        "classes      modular-arithmetic", "masks", "digits", "threads", "libtorch", "engine"})
    CHECK_THAT(outcome.data, ContainsSubstring(std::string("passed   ") + check));
  CHECK_THAT(outcome.data, ContainsSubstring(" 0 failed, "));
}

TEST_CASE("the doctor in JSON is an object a check", "[cli]") {
  const auto checks = lines(posenc_command("doctor --pos fixed --task palindrome --json").data);
  CHECK(checks.size() > 10);
  for (const std::string& line : checks) {
    const auto object = nlohmann::json::parse(line);
    CHECK((object["outcome"] == "passed" || object["outcome"] == "skipped"));
    CHECK(object["figure"].is_string());
  }
}

TEST_CASE("what the doctor is asked wrongly is said in a line", "[cli]") {
  refused("doctor --pos rop", "unknown encoding (given 'rop'");
  refused("doctor --task kth:k=0", "kth:k is out of range");
  refused("doctor --pos rope --d-model 12 --heads 4", "rope needs an even");
  refused("doctor --epochs 3", "doctor does not read this option (given '--epochs')");
}
