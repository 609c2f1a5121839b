#include "base/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "posenc/error.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

TEST_CASE("a file is read whole, up to the size that is allowed", "[base]") {
  const TemporaryFolder folder;
  const std::string text = std::string(200'000, 'x') + std::string("\0\r\n", 3);
  const std::string path = folder.file("a", text);
  CHECK(read_whole_file(path) == text);
  CHECK(read_whole_file(path, text.size()) == text);
  CHECK_THROWS_WITH(read_whole_file(path, text.size() - 1), ContainsSubstring("larger than 200002 bytes"));
  CHECK(read_whole_file(folder.file("empty", "")) == "");
}

TEST_CASE("what is no file is refused by name and kind, and nothing waits for a pipe's writer", "[base]") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(read_whole_file(pipe), "cannot read the file (given '" + pipe + "': not a file but a pipe)");
  CHECK_THROWS_WITH(read_whole_file(folder.path()), ContainsSubstring("not a file but a folder"));
  CHECK_THROWS_WITH(read_whole_file("/dev/zero"), ContainsSubstring("not a file but a device"));
  CHECK_THROWS_WITH(read_whole_file(folder.path("none")), ContainsSubstring("No such file or directory"));
  CHECK_THROWS_AS(read_whole_file(pipe), Error);
}

TEST_CASE("a link to a file is the file", "[base]") {
  const TemporaryFolder folder;
  REQUIRE(symlink(folder.file("a", "text").c_str(), folder.path("link").c_str()) == 0);
  CHECK(read_whole_file(folder.path("link")) == "text");
}
