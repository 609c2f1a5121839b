#include "config/resolve.h"

#include <cstdlib>

#include "posenc/error.h"
#include "support/catch.h"
#include "support/small_catalog.h"
#include "support/temporary_folder.h"

using namespace posenc;

TEST_CASE("flag beats environment beats file beats default", "[config]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.toml", "threads = 2\ndevice = \"cuda\"\nepochs = 7\n");
  setenv("POSENC_THREADS", "3", 1);
  const Resolved all = resolve(gather(flags({{"config", file}, {"device", "cpu"}})), small_catalog());
  unsetenv("POSENC_THREADS");
  CHECK(all.config.device == "cpu");
  CHECK(all.config.threads == 3);
  CHECK(all.config.epochs == 7);
  CHECK(all.config.vocab == 100);
  CHECK(all.settings.at("device").origin.where == "--device");
  CHECK(all.settings.at("threads").origin.where == "POSENC_THREADS");
  CHECK(all.settings.at("epochs").origin.where == file + ":3");
  CHECK(all.settings.at("vocab").origin.source == Origin::Source::fallback);
}

TEST_CASE("an error says where the value was given", "[config]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.toml", "\nepochs = -1\n");
  CHECK_THROWS_WITH(resolve(gather(flags({{"config", file}})), small_catalog()),
                    file + ":2: epochs is out of range (given '-1', allowed: integer 0..2147483647)");
  CHECK_THROWS_WITH(resolve(flags({{"epochs", "-1"}}), small_catalog()), StartsWith("--epochs is out of range"));
  const std::string encoding = folder.file("b.toml", "pos = \"table:std=-1\"\n");
  Settings only_file = {{"config", {encoding, {Origin::Source::flag, "--config"}}}};
  CHECK_THROWS_WITH(resolve(gather(only_file), small_catalog()),
                    StartsWith(encoding + ":1: pos: table:std is out of range"));
  setenv("POSENC_THREADS", "many", 1);
  CHECK_THROWS_WITH(resolve(gather(flags({})), small_catalog()), StartsWith("POSENC_THREADS is not an integer"));
  setenv("POSENC_THREADS", "", 1);
  CHECK(resolve(gather(flags({})), small_catalog()).config.threads == 1);
  unsetenv("POSENC_THREADS");
}

TEST_CASE("max-len follows seq-len unless it is given", "[config]") {
  CHECK(resolve(flags({{"seq-len", "50"}}), small_catalog()).config.max_len == 50);
  CHECK(resolve(flags({{"seq-len", "50"}, {"max-len", "64"}}), small_catalog()).config.max_len == 64);
}

TEST_CASE("a length beyond a trained table is an error that names the flag", "[config]") {
  CHECK_THROWS_WITH(resolve(flags({{"seq-len", "50"}, {"max-len", "49"}}), small_catalog()),
                    ContainsSubstring("--max-len"));
  CHECK_NOTHROW(resolve(flags({{"pos", "free"}, {"seq-len", "50"}, {"max-len", "49"}}), small_catalog()));
}

TEST_CASE("heads must divide the width", "[config]") {
  CHECK_THROWS_WITH(resolve(flags({{"heads", "5"}}), small_catalog()),
                    "--heads must divide --d-model (given 5 and 32, allowed: 1, 2, 4, 8, 16, 32)");
  CHECK_NOTHROW(resolve(flags({{"heads", "3"}, {"d-model", "33"}}), small_catalog()));
}

TEST_CASE("a task states its least length", "[config]") {
  CHECK_THROWS_AS(resolve(flags({{"task", "longer"}, {"seq-len", "4"}}), small_catalog()), Error);
  CHECK_NOTHROW(resolve(flags({{"task", "longer"}, {"seq-len", "5"}}), small_catalog()));
}

TEST_CASE("encodings are written canonically", "[config]") {
  CHECK(resolve(flags({{"pos", "table:std=0.10"}}), small_catalog()).config.pos == "table");
  CHECK(resolve(flags({{"pos", "table:std=2e-1"}}), small_catalog()).config.pos == "table:std=0.2");
}

TEST_CASE("a device is cpu, cuda or cuda with an index", "[config]") {
  for (const char* good : {"cpu", "cuda", "cuda:0", "cuda:7"})
    CHECK_NOTHROW(resolve(flags({{"device", good}}), small_catalog()));
  for (const char* bad : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1000", "CPU", "mps", ""})
    CHECK_THROWS_AS(resolve(flags({{"device", bad}}), small_catalog()), Error);
}
