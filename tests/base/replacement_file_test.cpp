#include "base/replacement_file.h"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <iterator>

#include "posenc/error.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;
namespace fs = std::filesystem;

namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

void write(const std::string& path, const std::string& text) {
  ReplacementFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

TEST_CASE("a replacement takes the file's place when it is complete", "[base]") {
  const TemporaryFolder folder;
  const std::string path = folder.path("a");
  write(path, "one");
  CHECK(content(path) == "one");
  {
    ReplacementFile file(path);
    file.write("two", 3);
    CHECK(content(path) == "one");
  }  // not committed
  CHECK(content(path) == "one");
  write(path, "three");
  CHECK(content(path) == "three");
  fs::create_symlink(path, folder.path("link"));
  write(folder.path("link"), "four");
  CHECK(content(path) == "four");
  CHECK(fs::is_symlink(folder.path("link")));
  CHECK(files_in(folder) == 2);
}

TEST_CASE("a file that cannot be written is one error, and leaves nothing", "[base]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(write(folder.path("none/a"), "x"), ContainsSubstring("No such file or directory"));
  CHECK_THROWS_WITH(write(folder.path(), "x"), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(write("/dev/null", "x"), ContainsSubstring("not a regular file"));
  CHECK(fs::is_character_file("/dev/null"));

  // A limit on the size of files stands in for a full disk.
  const std::string path = folder.path("a");
  write(path, "old");
  rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  Error::Kind kind = Error::Kind::usage;
  try {
    write(path, std::string(5000, 'x'));
  } catch (const Error& error) {
    message = error.what();
    kind = error.kind();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_THAT(message, ContainsSubstring("cannot write the file (given '" + path + "': File too large)"));
  CHECK(kind == Error::Kind::failure);
  CHECK(content(path) == "old");
  CHECK(files_in(folder) == 1);
}
