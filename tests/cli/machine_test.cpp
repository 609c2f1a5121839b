// What the system around the process has or lacks.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "files/files.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::vector<std::string> quick(const std::string& command) {
  return words(command + " --train-size 64 --val-size 16 --seq-len 4 --vocab 10 --epochs 1");
}

}  // namespace

TEST_CASE("a working directory that was deleted is only missed by relative paths", "[cli]") {
  const TemporaryFolder folder;
  const std::string gone = folder.path("gone"), out = folder.path("out");
  const auto leave = [&] {
    if (mkdir(gone.c_str(), 0700) != 0 || chdir(gone.c_str()) != 0 || rmdir(gone.c_str()) != 0) _exit(126);
  };
  CHECK(Process(quick("--out " + out), leave).wait() == 0);
  CHECK(lines(read_whole_file(out + "/runs.jsonl")).size() == 1);
  CHECK(Process({"report", out}, leave).wait() == 0);
  const std::string name = "posenc-test-" + std::to_string(getpid());
  CHECK(Process(quick("--out " + name), leave).wait() == 2);
  CHECK_FALSE(std::filesystem::exists("/" + name));
}
