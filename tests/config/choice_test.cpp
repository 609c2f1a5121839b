#include "config/choice.h"

#include "posenc/error.h"
#include "support/catch.h"

using namespace posenc;

namespace {

CatalogEntry rope() {
  CatalogEntry entry;
  entry.name = "rope";
  entry.parameters = {{"fraction", ValueType::real("(0, 1]"), 1.0, ""},
                      {"base", ValueType::real("(0, 1e9]"), 10000.0, ""}};
  return entry;
}

std::string canonical(const std::string& text) {
  return canonical_choice(rope(), read_parameters(rope(), split_choice(text, "--pos"), "--pos"));
}

}  // namespace

TEST_CASE("a choice is a name and its parameters", "[config]") {
  const ChoiceText choice = split_choice("rope:base=500,fraction=0.5", "--pos");
  CHECK(choice.name == "rope");
  REQUIRE(choice.parameters.size() == 2);
  CHECK(choice.parameters[1] == std::pair<std::string, std::string>("fraction", "0.5"));
  CHECK(split_choice("fixed", "--pos").parameters.empty());
  for (const char* bad : {"", ":", ":a=1", "rope:", "rope:base", "rope:=1", "rope:base=1,", "rope:base=1,base=2"})
    CHECK_THROWS_AS(split_choice(bad, "--pos"), Error);
}

TEST_CASE("in a list a comma continues an item when key= follows", "[config]") {
  CHECK(split_choices("learnable,fixed") == std::vector<std::string>{"learnable", "fixed"});
  CHECK(split_choices("rope:base=500,fraction=0.5,fixed") ==
        std::vector<std::string>{"rope:base=500,fraction=0.5", "fixed"});
  CHECK(split_choices("fixed,rope:base=5") == std::vector<std::string>{"fixed", "rope:base=5"});
  CHECK(split_choices("a,,b") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("there is one way to write a choice", "[config]") {
  CHECK(canonical("rope") == "rope");
  CHECK(canonical("rope:base=10000") == "rope");
  CHECK(canonical("rope:base=1e4,fraction=1.0") == "rope");
  CHECK(canonical("rope:fraction=0.50,base=500") == "rope:base=500,fraction=0.5");
}

TEST_CASE("an unknown parameter lists the known ones", "[config]") {
  CHECK_THROWS_WITH(canonical("rope:bas=5"),
                    "--pos: unknown parameter of rope (given 'bas', known: fraction, base, nearest: base)");
  CHECK_THROWS_WITH(canonical("rope:base=x"), StartsWith("--pos: rope:base is not a number (given 'x'"));
}

TEST_CASE("an unknown name lists the known ones", "[config]") {
  const std::vector<CatalogEntry> entries = {rope()};
  CHECK(find_entry(entries, "rope", "--pos", "encoding").name == "rope");
  CHECK_THROWS_WITH(find_entry(entries, "rop", "--pos", "encoding"),
                    "--pos: unknown encoding (given 'rop', known: rope, nearest: rope)");
}
