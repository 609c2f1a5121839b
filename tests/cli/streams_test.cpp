// Standard streams that are closed.
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "files/files.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

constexpr const char* kQuick = " --train-size 64 --val-size 16 --seq-len 4 --vocab 10 --epochs 8 --log-every 1 ";

std::vector<std::string> quick(const std::string& command, const std::string& out) {
  std::vector<std::string> arguments = words(command + kQuick);
  arguments.insert(arguments.end(), {"--out", out});
  return arguments;
}

// The curves of a folder whose runs nothing disturbed.
std::string undisturbed(const std::string& command) {
  const TemporaryFolder folder;
  REQUIRE(posenc_command(quick(command, folder.path("out"))).exit_code == 0);
  return read_whole_file(folder.path("out/epochs.csv"));
}

}  // namespace

TEST_CASE("output to a closed stream never lands in a file", "[cli]") {
  const std::string curves = undisturbed("");
  for (int closed = 1; closed < 8; ++closed) {  // every set of the three streams
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    Process process(quick("", out), [closed] {
      for (int number = 0; number < 3; ++number)
        if (closed >> number & 1) close(number);
    });
    INFO("closed " << closed);
    CHECK(process.wait() == 0);
    const std::string runs = read_whole_file(out + "/runs.jsonl");
    REQUIRE(lines(runs).size() == 1);
    CHECK(nlohmann::json::parse(runs, nullptr, /*allow_exceptions=*/false).is_object());
    CHECK_THAT(read_whole_file(out + "/lock"), StartsWith("process "));
    CHECK(read_whole_file(out + "/epochs.csv") == curves);
  }
}
