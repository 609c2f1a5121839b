#include "config/settings.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::string complaint(const std::string& text) {
  const TemporaryFolder folder;
  try {
    read_toml(folder.file("x.toml", text));
  } catch (const Error& error) {
    return std::string(error.what()).substr(folder.path("").size());
  }
  return "none";
}

}  // namespace

TEST_CASE("TOML values become the text a flag would have", "[config]") {
  const TemporaryFolder folder;
  const Settings settings =
      read_toml(folder.file("x.toml", "pos = \"fixed\" # why\nseq-len = 1_000\nlr = 1\ndropout = 0.25\njson = true\n"));
  CHECK(settings.at("pos").text == "fixed");
  CHECK(settings.at("seq-len").text == "1000");
  CHECK(settings.at("lr").text == "1");
  CHECK(settings.at("dropout").text == "0.25");
  CHECK(settings.at("json").text == "true");
  CHECK(settings.at("lr").origin.where == folder.path("x.toml") + ":3");
}

TEST_CASE("a mistake in a file is named with its line", "[config]") {
  CHECK(complaint("seed = 1\n\nepoch = 3\n") == "x.toml:3: unknown key (given 'epoch', nearest: epochs)");
  CHECK(complaint("config = \"y.toml\"\n") == "x.toml:1: unknown key (given 'config')");
  CHECK(complaint("[training]\nlr = 3\n") == "x.toml:1: unknown key (given 'training')");
  CHECK(complaint("epochs = \"3\"\n") ==
        "x.toml:1: epochs has the wrong type (given a TOML string, allowed: integer 0..2147483647)");
  CHECK(complaint("epochs = 3.5\n") ==
        "x.toml:1: epochs has the wrong type (given a TOML floating-point, allowed: integer 0..2147483647)");
  CHECK(complaint("lr = true\n") ==
        "x.toml:1: lr has the wrong type (given a TOML boolean, allowed: number in (0, 10])");
  CHECK_THAT(complaint("seed = 1\nseed = 2\n"), StartsWith("x.toml:2: not TOML: "));
  CHECK_THAT(complaint("epochs = \n"), StartsWith("x.toml:1: not TOML: "));
  CHECK_THAT(complaint(std::string("\0\x01\xff", 3)), StartsWith("x.toml:1: not TOML: "));
}

TEST_CASE("a key of very many parts is refused and not descended into", "[config]") {
  std::string key = "a";
  for (int i = 0; i < 50000; ++i) key += ".a";
  CHECK_THAT(complaint(key + " = 1\n"), StartsWith("x.toml:1: a key has too many parts"));
  CHECK_THAT(complaint("[" + key + "]\n"), StartsWith("x.toml:1: a key has too many parts"));
}

TEST_CASE("the first mistake of a file is the one reported", "[config]") {
  CHECK_THAT(complaint("zzz = 1\naaa = 2\n"), StartsWith("x.toml:1: "));
}

TEST_CASE("an empty file sets nothing", "[config]") { CHECK(complaint("") == "none"); }

TEST_CASE("a file that cannot be read is one clear error", "[config]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_toml(folder.path("missing.toml")), ContainsSubstring("No such file or directory"));
  CHECK_THROWS_WITH(read_toml(folder.path()), ContainsSubstring("not a file but a folder"));
  CHECK_THROWS_WITH(read_toml("/dev/zero"), ContainsSubstring("not a file but a device"));
  CHECK_THROWS_WITH(read_toml(folder.file("large.toml", std::string((1 << 20) + 1, '#'))),
                    ContainsSubstring("larger than 1048576 bytes"));
}
