// Standard streams that are closed, full or read by nobody: what was computed is kept, whatever becomes of its output.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "cli/console.h"
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

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

// In the new process: standard output is a file that cannot grow, or a pipe that nobody reads.
void fill_stdout() { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }

void leave_stdout_unread() {
  int ends[2];
  if (pipe(ends) != 0) _exit(126);
  close(ends[0]);
  dup2(ends[1], STDOUT_FILENO);
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

TEST_CASE("a reader that goes away takes no result with it", "[cli]") {
  for (const char* command : {"", "compare", "sweep --pos learnable,fixed"}) {
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    Process process(quick(command, out), leave_stdout_unread);
    INFO(command);
    CHECK(process.wait() == 0);
    CHECK(read_whole_file(out + "/epochs.csv") == undisturbed(command));
    CHECK(names_in(out + "/models").size() == (*command == '\0' ? 1u : 2u));
  }
}

TEST_CASE("a reader that goes away in the middle of a run takes no result with it", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  Process process(quick("", out));
  CHECK(process.read_line() != "");
  process.close_output();
  CHECK(process.wait() == 0);
  CHECK(read_whole_file(out + "/epochs.csv") == undisturbed(""));
}

TEST_CASE("a full disk under stdout is exit 1 at the end, with the results kept", "[cli]") {
  for (const char* command : {"", "--json", "compare", "sweep --pos learnable,fixed", "sweep --json --seed 1,2"}) {
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    Process process(quick(command, out), fill_stdout);
    INFO(command);
    CHECK(process.wait() == 1);
    CHECK(read_whole_file(out + "/epochs.csv") == undisturbed(command));
    if (std::string(command) == "compare") CHECK(std::filesystem::exists(out + "/report.html"));
  }
}

TEST_CASE("an expectation that is missed is exit 1 where nobody reads the output, too", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const auto expecting = [](std::vector<std::string> arguments, const char* accuracy) {
    arguments.insert(arguments.end(), {"--expect-val-acc", accuracy});
    return arguments;
  };
  CHECK(Process(expecting(quick("", out), "1"), leave_stdout_unread).wait() == 1);
  const std::string model = out + "/models/" + names_in(out + "/models").front();
  CHECK(Process(expecting({"eval", model}, "1"), leave_stdout_unread).wait() == 1);
  CHECK(Process(expecting({"eval", model}, "0"), leave_stdout_unread).wait() == 0);
}

TEST_CASE("folders that differ are exit 1 where nobody reads the difference, too", "[cli]") {
  const TemporaryFolder folder;
  const std::string one = folder.path("one"), other = folder.path("other");
  posenc_command(quick("", one));
  std::filesystem::copy(one, other);
  posenc_command(quick("--seed 1", other));
  CHECK(Process({"diff", one, other}, leave_stdout_unread).wait() == 1);
  CHECK(Process({"diff", one, one}, leave_stdout_unread).wait() == 0);
}

TEST_CASE("a model that cannot be saved is exit 1, and its run's result is kept", "[cli]") {
  const auto limit_files = [] {
    const rlimit limit{16'384, 16'384};  // bytes: more than any result here has, and less than a model
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
  };
  for (const char* command : {"", "compare --pos none", "sweep --pos none"}) {
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    Process process(quick(command, out), limit_files);
    INFO(command);
    CHECK(process.wait() == 1);
    CHECK(read_whole_file(out + "/epochs.csv") == undisturbed(command));
    CHECK(names_in(out + "/models").empty());
    const Outcome again = posenc_command(quick(*command == '\0' ? "sweep" : "sweep --pos none", out));
    CHECK_THAT(again.talk, Catch::Matchers::Contains("the result but not the model of 1 finished run"));
  }
}

TEST_CASE("a terminal that cannot be written to ends nothing", "[cli]") {
  std::FILE* full = std::fopen("/dev/full", "w");
  REQUIRE(full != nullptr);
  std::setvbuf(full, nullptr, _IONBF, 0);  // as stderr
  Console console(full, full);
  CHECK_NOTHROW(console.rewrite_line("1/2 runs"));
  CHECK_NOTHROW(console.say("note: nobody reads this"));
  console.keep_going();
  CHECK_NOTHROW(console.print("a row"));
  CHECK_THROWS_WITH(console.check_output(), "cannot write to standard output (No space left on device)");
  std::fclose(full);
}
