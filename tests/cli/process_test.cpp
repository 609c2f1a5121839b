// What only a process has: exit codes, signals, pipes.
#include "support/process.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "support/catch.h"

using namespace posenc;

TEST_CASE("the binary exits 0 on a good run and 2 on bad usage", "[cli]") {
  CHECK(Process({"--train-size", "10", "--val-size", "10", "--epochs", "1"}).wait() == 0);
  CHECK(Process({"--epochs", "-1"}).wait() == 2);
}

TEST_CASE("Ctrl-C ends a run with 130 and SIGTERM with 143", "[cli]") {
  for (const auto& [number, exit_code] : {std::pair(SIGINT, 130), std::pair(SIGTERM, 143)}) {
    Process process({"--epochs", "1000000", "--log-every", "1"});
    CHECK(process.read_line() != "");
    process.signal(number);
    CHECK(process.wait() == exit_code);
  }
}

TEST_CASE("one long operator does not hold a signal up", "[cli]") {
  // A single step over this batch takes far longer than the second that is allowed.
  Process process({"--epochs", "1000000", "--log-every", "1", "--seq-len", "256", "--train-size", "512", "--batch-size",
                   "512", "--val-size", "1", "--layers", "3"});
  usleep(1'500'000);
  process.signal(SIGINT);
  CHECK(process.wait() == 130);
}

TEST_CASE("a reader that goes away ends the program quietly", "[cli]") {
  Process process({"--epochs", "1000000", "--log-every", "1", "--train-size", "64", "--val-size", "8"});
  CHECK(process.read_line() != "");
  process.close_output();
  CHECK(process.wait() == 0);
}

TEST_CASE("a full disk under stdout is exit 1", "[cli]") {
  const std::string command = std::string(POSENC_BINARY) + " --train-size 10 --epochs 1 >/dev/full 2>/dev/null";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 1);
}
