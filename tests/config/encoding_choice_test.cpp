#include "config/encoding_choice.h"

#include "posenc/error.h"
#include "support/catch.h"
#include "support/small_catalog.h"

using namespace posenc;

namespace {

const Catalog& small() {
  static const Catalog catalog = small_catalog();
  return catalog;
}

std::string canonical(const std::string& text) {
  return canonical_choice(read_encoding_choice(text, small(), "--pos"));
}

void check(const std::string& pos, std::int64_t seq_len = 16, std::int64_t max_len = 16) {
  RunConfig config;
  config.pos = pos;
  config.seq_len = seq_len;
  config.max_len = max_len;
  check_encoding(read_encoding_choice(pos, small(), "--pos"), config, small(), "--pos", "--seq-len");
}

}  // namespace

TEST_CASE("wrappers stand behind an encoding, each with parameters of its own", "[config]") {
  const EncodingChoice choice = read_encoding_choice("table:std=0.5+shift:max=50+loud", small(), "--pos");
  CHECK(choice.entry->name == "table");
  CHECK(choice.parameters.real("std") == 0.5);
  REQUIRE(choice.wrappers.size() == 2);
  CHECK(choice.wrappers[0].first->name == "shift");
  CHECK(choice.wrappers[0].second.integer("max") == 50);
  CHECK(choice.wrappers[1].first->name == "loud");
}

TEST_CASE("a plus in a number starts no wrapper", "[config]") {
  CHECK(canonical("table:std=1e+1") == "table:std=10");
  CHECK(canonical("table:std=1e+1+loud") == "table:std=10+loud");
  CHECK_THROWS_WITH(canonical("table++loud"), StartsWith("--pos: unknown encoding (given 'table+'"));
  CHECK_THROWS_WITH(canonical("table+"), StartsWith("--pos: unknown encoding (given 'table+'"));
}

TEST_CASE("a choice with wrappers is written in one way, whatever their order", "[config]") {
  CHECK(canonical("table+loud+shift:max=20") == "table+shift+loud");
  CHECK(canonical("table+shift:max=21+loud") == "table+shift:max=21+loud");
}

TEST_CASE("in a list an encoding keeps its wrappers", "[config]") {
  CHECK(split_choices("table+shift:max=5,eval=mean,free") ==
        std::vector<std::string>{"table+shift:max=5,eval=mean", "free"});
  CHECK(split_choices("table:std=1+loud,free+loud") == std::vector<std::string>{"table:std=1+loud", "free+loud"});
}

TEST_CASE("two wrappers of a kind are refused, and one that is not known", "[config]") {
  CHECK_THROWS_WITH(canonical("table+shift+shift"),
                    "--pos: two wrappers choose positions (given shift and shift, allowed: one)");
  CHECK_THROWS_WITH(canonical("table+loud+loud"),
                    "--pos: two wrappers scale scores (given loud and loud, allowed: one)");
  CHECK_THROWS_WITH(canonical("table+shfit"),
                    "--pos: unknown wrapper (given 'shfit', known: shift, loud, nearest: shift)");
  CHECK_THROWS_WITH(canonical("table+shift:least=3"), StartsWith("--pos: unknown parameter of shift (given 'least'"));
}

TEST_CASE("a wrapper of positions needs an encoding that reads them, and room", "[config]") {
  CHECK_NOTHROW(check("free+shift", 20));
  CHECK_NOTHROW(check("deaf+loud"));
  CHECK_THROWS_WITH(check("deaf+shift"),
                    "--pos: shift chooses positions, which deaf does not read (allowed with: table, free, revised)");
  CHECK_THROWS_WITH(check("free+shift", 21),
                    "--seq-len is longer than the positions of shift (given 21, allowed: up to 20, its max)");
  CHECK_NOTHROW(check("table+shift", 16, 20));
  CHECK_THROWS_WITH(check("table+shift", 16, 19),
                    "--pos: shift chooses positions beyond the table of table (given max 20, allowed: up to --max-len, "
                    "which is 19)");
  CHECK_THROWS_WITH(check("free+shift:max=13", 10), "--pos: shift needs luck (given max=13)");
}
