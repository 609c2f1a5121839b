// What the system around the process has or lacks: threads, processors, signals, a working directory.
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/files.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/limits.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::vector<std::string> quick(const std::string& command) {
  return words(command + " --train-size 64 --val-size 16 --seq-len 4 --vocab 10 --epochs 1");
}

// A folder that nobody may write to as well, and a file in it for what a process says.
class OpenFolder : public TemporaryFolder {
 public:
  OpenFolder() { chmod(path().c_str(), 0777); }
  void say_here() const { dup2(open(path("talk").c_str(), O_WRONLY | O_CREAT, 0666), STDERR_FILENO); }
  std::string talk() const { return read_whole_file(path("talk")); }
};

// A user who may not start the program, since the folder it was built in is closed to others, cannot test it.
bool nobody_may_run_it() {
  const bool may = in_child([] {
                     allow_no_more_threads();
                     return access(POSENC_BINARY, X_OK) == 0 ? 0 : 1;
                   }) == 0;
  if (!may) WARN("not tested: other users cannot start " << POSENC_BINARY);
  return may;
}

}  // namespace

TEST_CASE("threads that the system does not start are one line and exit 2", "[cli]") {
  if (!nobody_may_run_it()) return;
  for (const char* command : {"", "sweep --seed 1,2 --out /nowhere", "doctor --pos none --task first", "bench"}) {
    const OpenFolder folder;
    Process process(words(std::string(command) + " --threads 4"), [&] {
      folder.say_here();
      allow_no_more_threads();
      alarm(60);  // it used to wait for ever
    });
    INFO(command);
    CHECK(process.wait() == 2);
    CHECK(folder.talk() == "posenc: error: --threads is more than this process may start (given 4, allowed: 1..1)\n");
  }
}

TEST_CASE("where no worker can be started a sweep goes on without, and says so", "[cli]") {
  if (!nobody_may_run_it()) return;
  const OpenFolder folder;
  const std::string out = folder.path("out");
  Process process(quick("sweep --seed 0..3 --jobs 3 --out " + out), [&] {
    folder.say_here();
    allow_no_more_threads();
  });
  CHECK(process.wait() == 0);
  CHECK(lines(read_whole_file(out + "/runs.jsonl")).size() == 4);
  CHECK_THAT(folder.talk(), ContainsSubstring("warning: the system does not start the threads of 3 runs at once"));
  CHECK_THAT(folder.talk(), ContainsSubstring("so 1 goes on at once"));
}

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

TEST_CASE("a signal that is ignored from the start stays ignored", "[cli]") {
  for (const int ignored : {SIGINT, SIGTERM}) {
    const int other = ignored == SIGINT ? SIGTERM : SIGINT;
    Process process({"--epochs", "1000000", "--log-every", "1"}, [ignored] { std::signal(ignored, SIG_IGN); });
    CHECK(process.read_line() != "");
    process.signal(ignored);
    process.signal(ignored);  // a second one would end it at once
    for (int i = 0; i < 5; ++i) CHECK(process.read_line() != "");
    process.signal(other);
    CHECK(process.wait() == 128 + other);
  }
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

TEST_CASE("a plan that takes long to check shows how far it is", "[cli]") {
  int terminal, side;
  REQUIRE(openpty(&terminal, &side, nullptr, nullptr, nullptr) == 0);
  Process process(quick("sweep --dry-run --batch-size 1..100000"), [&] {
    setenv("TERM", "xterm", 1);
    dup2(side, STDERR_FILENO);
  });
  close(side);
  std::string talk;
  char block[4096];
  for (ssize_t count; (count = read(terminal, block, sizeof block)) > 0;)
    talk.append(block, static_cast<std::size_t>(count));
  CHECK(process.wait() == 0);
  CHECK_THAT(talk, ContainsSubstring(" of 100000 runs"));
  close(terminal);
}
