#include "base/nearest.h"

#include "support/catch.h"

using namespace posenc;

TEST_CASE("the edit distance of known pairs", "[base]") {
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("epcohs", "epochs") == 1);  // neighbours swapped
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("same", "same") == 0);
}

TEST_CASE("the nearest name is a plausible typo or nothing", "[base]") {
  const std::vector<std::string> names = {"--epochs", "--seq-len", "--seed", "--lr"};
  CHECK(nearest("--epoch", names) == "--epochs");
  CHECK(nearest("--seqlen", names) == "--seq-len");
  CHECK(nearest("--banana", names) == "");
  CHECK(nearest("--LR", names) == "--lr");
  CHECK(nearest("", names) == "");
  CHECK(nearest(std::string(100000, 'x'), names) == "");
  CHECK(nearest_hint("--sed", names) == ", nearest: --seed");
  CHECK(nearest_hint("?", names) == "");
}
