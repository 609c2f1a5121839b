// What the system around the process has or lacks.
#include <sched.h>
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

TEST_CASE("a sweep has as many jobs as it is pinned to processors", "[cli]") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  Process process(quick("sweep --seed 0..3 --dry-run"), [&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
  });
  std::string line, last;
  while (!(line = process.read_line()).empty()) last = line;
  CHECK(process.wait() == 0);
  CHECK_THAT(last, ContainsSubstring("with --jobs 1,"));
}

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
