// report and diff on the command line, over the results of real runs.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::string file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A sweep of two encodings and three seeds in a moment.
std::string some_sweep(const TemporaryFolder& folder, const std::string& name, const std::string& more = "") {
  const std::string out = folder.path(name);
  const Outcome outcome = posenc_command(
      "sweep --pos none,fixed --seed 1..3 --seeding paired --seq-len 4 --vocab 4 --train-size 64 --val-size 50 "
      "--epochs 2 "
      "--d-model 8 --heads 2 --ffn 8 --out " +
      out + more);
  REQUIRE(outcome.exit_code == 0);
  return out;
}

}  // namespace

TEST_CASE("report prints tables, and every format holds the same runs", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = some_sweep(folder, "a");
  const Outcome text = posenc_command("report " + out);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.data, StartsWith("6 runs in ") && ContainsSubstring("val-acc: final validation accuracy") &&
                            ContainsSubstring("Pairs of encodings") && ContainsSubstring("ceiling"));
  const auto json = nlohmann::json::parse(posenc_command("report " + out + " --format json").data);
  CHECK(json["groups"].size() == 2);
  CHECK(json["groups"][0]["bounds"]["ceiling"] == 0.625);
  CHECK(json["pairs"][0]["n"] == 3);
  CHECK_THAT(posenc_command("report " + out + " --format md").data, ContainsSubstring("| none | 3 |"));
  CHECK(lines(posenc_command("report " + out + " --format csv").data).size() == 3);
  for (const char* metric : {"train-loss", "epochs-to-95", "seconds"})
    CHECK(posenc_command("report " + out + " --metric " + metric).exit_code == 0);
}

TEST_CASE("report --out writes a page, and figures where they are asked for", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = some_sweep(folder, "a"), page = folder.path("page");
  const Outcome outcome = posenc_command("report " + out + " --out " + page + " --figures");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.data.empty());
  CHECK_THAT(file(page + "/report.html"), StartsWith("<!DOCTYPE html>") && ContainsSubstring("</html>\n"));
  CHECK(std::filesystem::exists(page + "/figures/accuracy-by-epoch-1.svg"));
  posenc_command("report " + out + " --out " + page + " --format csv");
  CHECK_THAT(file(page + "/pairs.csv"), StartsWith("first,second,n,"));
}

TEST_CASE("a folder may be named by bytes that are no text", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = some_sweep(folder, "n\xffx", " --json");
  std::ofstream(out + "/runs.jsonl", std::ios::app) << "damaged\n";
  for (const char* format : {"text", "md", "csv", "json", "html"}) {
    INFO(format);
    const Outcome outcome = posenc_command("report " + out + " --format " + format);
    CHECK(outcome.exit_code == 1);  // for the damaged line
    CHECK(outcome.data != "");
    if (std::string(format) == "json") CHECK(nlohmann::json::parse(outcome.data)["runs"] == 6);
    if (std::string(format) == "html") CHECK_NOTHROW(nlohmann::json(outcome.data).dump());  // it is UTF-8
  }
  CHECK_NOTHROW(nlohmann::json(file(out + "/manifest.json")).dump());
  CHECK(posenc_command("merge " + out + " --out " + folder.path("m\xff")).exit_code == 1);
  CHECK(posenc_command("diff --json " + out + " " + folder.path("m\xff")).exit_code == 1);
}

TEST_CASE("what is no file is refused wherever a file is read, and is not waited for", "[cli]") {
  const TemporaryFolder folder;
  const auto pipe_in = [&](const std::string& path) {
    std::filesystem::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    return path;
  };
  const std::string pipe = pipe_in(folder.path("pipe"));
  for (const std::string& other : {pipe, folder.path(), std::string("/dev/zero")}) {
    refused({"--config", other}, "--config: cannot read the file (given '" + other + "': not a file but a ");
    refused({"sweep", "--config", other}, "--config: cannot read the file");
    refused({"eval", other}, ": not a file but a ");
    refused({"predict", other, "--tokens", "1"}, ": not a file but a ");
    refused({"attention", other, "--tokens", "1,2"}, ": not a file but a ");
    refused({"inspect", "--model", other}, ": not a file but a ");
  }
  refused({"report", pipe}, "no such folder of results");
  refused({"diff", pipe, pipe}, "no such folder of results");
  refused({"merge", pipe, "--out", folder.path("m")}, "not a folder of results");
  for (const char* name : {"runs.jsonl", "manifest.json"}) {
    const std::string out = some_sweep(folder, name);
    pipe_in(out + "/" + name);
    const Outcome outcome = posenc_command("--seq-len 4 --epochs 1 --train-size 10 --out " + out);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.talk,
               ContainsSubstring("cannot read the file (given '" + out + "/" + name + "': not a file but a pipe)"));
  }
  const std::string damaged = some_sweep(folder, "damaged");
  std::ofstream(damaged + "/runs.jsonl", std::ios::app) << "junk\n";
  pipe_in(damaged + "/runs.jsonl.damaged");
  CHECK(posenc_command("--seq-len 4 --epochs 1 --train-size 10 --out " + damaged).exit_code == 1);
}

TEST_CASE("compare --out leaves the page beside the results", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("c");
  posenc_command("compare --seq-len 4 --vocab 4 --train-size 64 --val-size 50 --epochs 2 --out " + out);
  CHECK_THAT(file(out + "/report.html"), ContainsSubstring("learnable") && ContainsSubstring("fixed"));
}

TEST_CASE("a damaged line is named, counted and exit 1", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = some_sweep(folder, "a");
  std::ofstream(out + "/runs.jsonl", std::ios::app) << "{broken\n";
  const Outcome outcome = posenc_command("report " + out);
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.talk,
             ContainsSubstring("runs.jsonl:7: damaged line") && ContainsSubstring("1 damaged line(s) are left out"));
  CHECK_THAT(outcome.data, StartsWith("6 runs"));
}

TEST_CASE("diff finds what changed and says nothing of what did not", "[cli]") {
  const TemporaryFolder folder;
  const std::string a = some_sweep(folder, "a"), b = some_sweep(folder, "b");
  const Outcome same = posenc_command("diff " + a + " " + b);
  CHECK(same.exit_code == 0);
  CHECK(same.data == "0 of 6 common runs differ by more than 0; 0 only in the first, 0 only in the second\n");
  std::filesystem::remove_all(b);
  const std::string c = some_sweep(folder, "c", " --jobs 1 --max-runs 4");
  const Outcome fewer = posenc_command("diff " + a + " " + c);
  CHECK(fewer.exit_code == 1);
  CHECK_THAT(
      fewer.data,
      ContainsSubstring("only in the first") &&
          ContainsSubstring("0 of 4 common runs differ by more than 0; 2 only in the first, 0 only in the second\n"));
}

TEST_CASE("what report and diff are asked wrongly is said in a line", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = some_sweep(folder, "a");
  refused("report", "no folder is named");
  refused("report " + folder.path("nothing"), "no such folder of results");
  refused("report " + out + " --metric accuracy",
          "--metric: unknown metric (given 'accuracy', known: val-acc, train-loss");
  refused("report " + out + " --format xml", "--format: unknown format (given 'xml', known: text, md, csv, json, html");
  refused("report " + out + " --by seeds", "--by: unknown option (given 'seeds'");
  refused("report " + out + " --by pos,,seq-len", "--by has an empty name");
  refused("report " + out + " --figures", "needs a folder for them (write: --out DIR)");
  refused("report " + out + " " + out, "a folder stands twice");
  CHECK_THAT(posenc_command("report " + out + " --by pos,vocab").data,
             ContainsSubstring("note: --by vocab: all runs have the same vocab"));
  refused("diff " + out, "two folders are compared (given 1, allowed: DIR1 DIR2)");
  refused("diff " + out + " " + out + " --tolerance -1", "--tolerance is out of range");
}
