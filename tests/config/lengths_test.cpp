#include "config/lengths.h"

#include "posenc/error.h"
#include "support/catch.h"

using namespace posenc;

TEST_CASE("a list of lengths may have ranges, and is rising without repeats", "[config]") {
  CHECK(read_lengths("8,16,64..128:32", "--eval-len") == std::vector<std::int64_t>{8, 16, 64, 96, 128});
  CHECK(read_lengths("16,8,8..10", "--eval-len") == std::vector<std::int64_t>{8, 9, 10, 16});
  CHECK(read_lengths("", "--eval-len").empty());
  CHECK(lengths_text({8, 16}) == "8,16");
}

TEST_CASE("a range of lengths may have a step, and ends at the last length that it reaches", "[config]") {
  const LengthRange range = read_length_range("3..10:2", "--train-len");
  CHECK(range.longest == 9);
  CHECK(range.count() == 4);
  CHECK(range.at(3) == 9);
  CHECK(range.contains(5));
  CHECK_FALSE(range.contains(4));
  CHECK_FALSE(range.contains(11));
  CHECK(length_range_text(range) == "3..9:2");
  CHECK(length_range_text(read_length_range("3..9:1", "--train-len")) == "3..9");
  CHECK(read_length_range("2..5:100", "--train-len").count() == 1);
}

TEST_CASE("what is no list of lengths is refused with what was given", "[config]") {
  CHECK_THROWS_WITH(read_lengths("8,", "--eval-len"), ContainsSubstring("--eval-len is not an integer (given ''"));
  CHECK_THROWS_WITH(read_lengths("1", "--eval-len"), ContainsSubstring("is out of range (given '1'"));
  CHECK_THROWS_WITH(read_lengths("9..5", "--eval-len"), ContainsSubstring("a range falls (given '9..5'"));
  CHECK_THROWS_WITH(read_lengths("2..9:0", "--eval-len"), ContainsSubstring("the step of 2..9:0"));
  CHECK_THROWS_WITH(read_lengths("2..100000", "--eval-len"), ContainsSubstring("too many lengths"));
  CHECK_THROWS_WITH(read_length_range("2-9", "--train-len"),
                    ContainsSubstring("--train-len is not a range of lengths (given '2-9'"));
  for (const char* wrong : {"..9", "2..", "..", "2..x", "5..2", "2..5:", "2..5:0", "2..5:x", "2:5", "2:1..5"})
    CHECK_THROWS_AS(read_length_range(wrong, "--train-len"), Error);
}

TEST_CASE("steps are those of the epochs unless they are given", "[config]") {
  RunConfig config;
  CHECK(steps_an_epoch(config) == 32);  // 2000 sequences, 64 at a time
  CHECK(steps_of(config) == 960);
  config.steps = 100;
  CHECK(steps_of(config) == 100);
}
