#include "cli/console.h"

#include <cstdio>
#include <cstdlib>

#include "support/catch.h"

using namespace posenc;

TEST_CASE("what a terminal would obey is written out, line breaks and tabs are not", "[cli]") {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* memory = open_memstream(&text, &size);
  Console console(memory, memory);
  console.print("a\tb\n{}", "\x1b[31mred\x7f");
  console.say("\r{}", "bell\a");
  std::fclose(memory);
  CHECK(std::string(text, size) == "a\tb\n\\x1b[31mred\\x7f\n\\x0dbell\\x07\n");
  std::free(text);
}
