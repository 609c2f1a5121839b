// Runs that leave something behind: --out, eval and predict.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>

#include "checkpoint/checkpoint.h"
#include "posenc/catalog.h"
#include "results/store.h"
#include "support/command_line.h"
#include "support/forged_line.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/torch_catch.h"

using namespace posenc;

namespace {

constexpr const char* kQuick = "--train-size 100 --val-size 50 --seq-len 4 --vocab 10 --epochs 2 --log-every 1 ";

std::vector<std::string> quick(const std::string& command, const std::string& out, const std::string& more = "") {
  auto arguments = words(command + " " + kQuick + more);
  arguments.insert(arguments.end(), {"--out", out});
  return arguments;
}

std::string only_model(const std::string& out) {
  return std::filesystem::directory_iterator(out + "/models")->path().string();
}

// Writes `value` over the first number of a tensor in a saved model.
void poison(const std::string& path, const std::string& name, float value) {
  struct Tensors : torch::nn::Module {
    explicit Tensors(const std::vector<std::pair<std::string, torch::Tensor>>& all) {
      for (const auto& [full_name, tensor] : all) add(*this, full_name, tensor);
    }
    // "encoder.layers.0.norm1.weight" becomes modules within modules, since a name may have no dot.
    static void add(torch::nn::Module& module, const std::string& name, const torch::Tensor& tensor) {
      const auto dot = name.find('.');
      if (dot == std::string::npos) {
        module.register_parameter(name, tensor);
        return;
      }
      const std::string first = name.substr(0, dot);
      const auto children = module.named_children();
      const auto child = children.contains(first)
                             ? children[first]
                             : module.register_module(first, std::make_shared<torch::nn::Module>());
      add(*child, name.substr(dot + 1), tensor);
    }
  };
  const torch::NoGradGuard no_grad;
  auto all = read_checkpoint(path);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == name; });
  REQUIRE(found != all.end());
  found->second.flatten()[0] = value;
  save_checkpoint(path, Tensors(all));
}

Outcome with_input(const std::string& input, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string file = folder.file("input", input);
  std::cin.clear();
  std::FILE* opened = std::freopen(file.c_str(), "r", stdin);
  CHECK(opened != nullptr);
  return posenc_command(arguments);
}

}  // namespace

TEST_CASE("a run leaves a folder that says what ran and what came of it", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const Outcome outcome = posenc_command(quick("", out, "--seed 7"));
  CHECK(outcome.exit_code == 0);
  for (const char* name : {"manifest.json", "runs.jsonl", "runs.csv", "epochs.csv"})
    CHECK(std::filesystem::exists(out + "/" + name));

  const auto manifest = nlohmann::json::parse(read_whole_file(out + "/manifest.json"));
  const auto& invocation = manifest["invocations"].at(0);
  CHECK(invocation["configuration"]["seed"] == nlohmann::json({{"value", 7}, {"origin", "--seed"}}));
  CHECK(invocation["configuration"]["lr"]["origin"] == "default");
  CHECK(invocation["arguments"].at(0) == "--train-size");
  for (const char* key : {"posenc", "git_revision", "libtorch", "compiler"})
    CHECK_FALSE(invocation["versions"][key].get<std::string>().empty());
  CHECK(invocation["ended"].is_string());

  const auto record = nlohmann::json::parse(read_whole_file(out + "/runs.jsonl"));
  CHECK(record["curve"]["epoch"] == nlohmann::json({1, 2}));
  CHECK(only_model(out) == out + "/models/" + record["run_id"].get<std::string>() + ".pt");
}

TEST_CASE("a finished run is not run again unless forced", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out)).exit_code == 0);
  refused(quick("", out), "--out already has this run");
  CHECK(posenc_command(quick("", out, "--force")).exit_code == 0);
  CHECK(posenc_command(quick("", out, "--seed 1")).exit_code == 0);  // another run joins it
  CHECK(lines(read_whole_file(out + "/runs.csv")).size() == 3);
}

TEST_CASE("compare prints what is stored as it printed it first", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out, "--pos fixed")).exit_code == 0);
  const Outcome first = posenc_command(quick("compare", out)), second = posenc_command(quick("compare", out));
  CHECK(first.data == second.data);  // seconds too: they are stored
  CHECK_THAT(first.talk, ContainsSubstring("fixed is in " + out + " already"));
  CHECK_THAT(first.talk, !ContainsSubstring("learnable is in"));
  CHECK_THAT(second.talk, ContainsSubstring("learnable is in"));
  const Outcome forced = posenc_command(quick("compare", out, "--force"));
  CHECK_THAT(forced.talk, !ContainsSubstring("already"));
}

TEST_CASE("a saved model has the accuracy that its run ended with", "[cli]") {
  for (const char* pos : {"learnable:std=0.5", "fixed"}) {
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    CHECK(posenc_command(quick("", out, std::string("--seed 5 --layers 2 --pos ") + pos)).exit_code == 0);
    const auto record = nlohmann::json::parse(read_whole_file(out + "/runs.jsonl"));
    const auto evaluated = nlohmann::json::parse(posenc_command({"eval", only_model(out), "--json"}).data);
    CHECK(evaluated["val_acc"] == record["curve"]["val_acc"].at(1));
    CHECK(evaluated["sequences"] == 50);
  }
}

TEST_CASE("eval takes its configuration from flags where there is no folder of results", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  posenc_command(quick("", out, "--seed 5"));
  const std::string alone = folder.path("alone.pt");
  std::filesystem::copy_file(only_model(out), alone);
  const std::string flags = " --seed 5 --train-size 100 --val-size 50 --seq-len 4 --vocab 10";
  const Outcome beside = posenc_command({"eval", only_model(out)}), by_flags = posenc_command("eval " + alone + flags);
  CHECK_THAT(beside.data, StartsWith("Val Acc: ") && ContainsSubstring("(50 sequences)"));
  CHECK(beside.data == by_flags.data);
  refused(words("eval " + alone + flags + " --d-model 16"), "does not fit the model");
  CHECK(posenc_command("eval " + alone + flags + " --expect-val-acc 1").exit_code == 1);
}

TEST_CASE("predict answers --tokens and every line of standard input", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  posenc_command(quick("", out));
  const std::string model = only_model(out);
  const auto one = nlohmann::json::parse(posenc_command({"predict", model, "--tokens", "3,1,4,1", "--json"}).data);
  CHECK(one["tokens"] == nlohmann::json({3, 1, 4, 1}));
  const double p0 = one["probabilities"].at(0), p1 = one["probabilities"].at(1);
  CHECK(p0 + p1 == Approx(1));
  CHECK(one["class"] == (p1 > p0 ? 1 : 0));
  const Outcome several = with_input("3,1,4,1\n 3, 1 ,4,1\r\n0\n", {"predict", model});
  CHECK(several.exit_code == 0);
  REQUIRE(lines(several.data).size() == 3);
  CHECK(lines(several.data)[0] == lines(several.data)[1]);
  CHECK_THAT(several.data, StartsWith("class ") && ContainsSubstring("(probabilities 0."));
}

TEST_CASE("standard input that cannot be read, or never ends a line, is no end of the answers", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  REQUIRE(posenc_command(quick("", out)).exit_code == 0);
  const std::string model = only_model(out);
  REQUIRE(std::freopen(folder.path().c_str(), "r", stdin) != nullptr);  // a folder
  const Outcome unreadable = posenc_command({"predict", model});
  CHECK(unreadable.exit_code == 1);
  CHECK(unreadable.talk == "posenc: error: cannot read standard input (Is a directory)\n");
  REQUIRE(std::freopen("/dev/zero", "r", stdin) != nullptr);
  refused(std::vector<std::string>{"predict", model}, "line 1 of standard input is too long (allowed: up to 16777216 ");
  const Outcome with_nul = with_input(std::string("3,1,0\0junk\n", 11), {"predict", model});
  CHECK(with_nul.exit_code == 2);
  CHECK_THAT(with_nul.talk, ContainsSubstring("(given '0\\x00junk', allowed: integer 0..9)"));
}

TEST_CASE("what predict cannot answer is one line and exit 2", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  posenc_command(quick("", out));
  const std::string model = only_model(out);
  refused(std::vector<std::string>{"predict", model, "--tokens", "3,10"},
          "--tokens is out of range (given '10', allowed: integer 0..9)");
  refused(std::vector<std::string>{"predict", model, "--tokens", "3,-1"}, "is out of range");
  refused(std::vector<std::string>{"predict", model, "--tokens", "3,,1"}, "is not an integer (given ''");
  refused(std::vector<std::string>{"predict", model, "--tokens", "1,2,3,4,5"},
          "the sequence goes beyond the positions that the table of learnable is trained for (given 5, allowed: up to "
          "4, or --oob clamp, "
          "interpolate)");
  refused(std::vector<std::string>{"predict", model, "--tokens", "1", "--epochs", "3"},
          "predict does not read this option (given '--epochs')");
  refused(std::vector<std::string>{"predict"}, "no model is named");
  refused(std::vector<std::string>{"predict", folder.path("none.pt"), "--tokens", "1"}, "none.pt");
  refused(std::vector<std::string>{"predict", model, model},
          "predict takes one MODEL.pt (given '" + model + "' as well)");
  const Outcome empty = with_input("", {"predict", model});
  CHECK(empty.exit_code == 2);
  CHECK_THAT(empty.talk, ContainsSubstring("standard input is empty"));
  const Outcome late = with_input("1\nx\n", {"predict", model});
  CHECK(late.exit_code == 2);
  CHECK_THAT(late.talk, ContainsSubstring("line 2 of standard input is not an integer (given 'x'"));
}

TEST_CASE("a folder that cannot be one of results is refused before anything is trained", "[cli]") {
  const TemporaryFolder folder;
  refused(quick("", folder.file("file", "x")), "--out is not a folder");
  refused(quick("", "/proc/nowhere"), "--out: cannot make the folder");
  refused(quick("", ""), "--out is not allowed (given ''");
  folder.file("cat.jpg", "x");
  refused(quick("", folder.path()), "--out is not a folder of results");
  refused(quick("", folder.path("new"), "--device cuda:99"), "no such CUDA device");
  CHECK_FALSE(std::filesystem::exists(folder.path("new")));
}

TEST_CASE("damage is named and its run is done again", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const Outcome first = posenc_command(quick("compare", out));
  std::string text = read_whole_file(out + "/runs.jsonl");
  text[text.size() - 100] ^= 1;
  folder.file("out/runs.jsonl", text);
  const Outcome second = posenc_command(quick("compare", out));
  CHECK_THAT(second.talk, ContainsSubstring("runs.jsonl:2: damaged line (its checksum does not match)"));
  CHECK_THAT(second.talk, !ContainsSubstring("fixed is in"));
  CHECK(lines(second.data)[5] == lines(first.data)[5]);
}

TEST_CASE("every id that is written has a letter in front", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out, "--eval-len 4,5 --pos rope")).exit_code == 0);
  const std::regex id("r[0-9a-f]{16}");
  const std::string of_line = nlohmann::json::parse(read_whole_file(out + "/runs.jsonl"))["run_id"];
  CHECK(std::regex_match(of_line, id));
  for (const char* name : {"/runs.csv", "/epochs.csv", "/lengths.csv"}) {
    const std::string row = lines(read_whole_file(out + name)).at(1);
    CHECK(row.substr(0, row.find(',')) == of_line);
  }
  CHECK(std::filesystem::path(only_model(out)).stem() == of_line);
  const Outcome plan = posenc_command("sweep --pos rope --eval-len 4,5 --plan " + std::string(kQuick));
  CHECK(nlohmann::json::parse(plan.data)["run_id"] == of_line);
  refused(quick("", out, "--eval-len 4,5 --pos rope"), "run id " + of_line);
}

TEST_CASE("a folder of an earlier release goes on: its runs count, its models open, its files stay", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out, "--seed 7")).exit_code == 0);
  const Outcome today = posenc_command({"eval", only_model(out)});
  auto json = nlohmann::ordered_json::parse(read_whole_file(out + "/runs.jsonl"));
  const std::string digits = json["run_id"].get<std::string>().substr(1);
  std::filesystem::rename(only_model(out), out + "/models/" + digits + ".pt");
  json["run_id"] = digits;
  json.erase("crc");
  const std::string former = sealed(json) + "\n";
  folder.file("out/runs.jsonl", former);
  CHECK(posenc_command({"eval", only_model(out)}).data == today.data);
  CHECK(posenc_command({"report", out}).exit_code == 0);
  refused(quick("", out, "--seed 7"), "--out already has this run (given");
  CHECK(posenc_command(quick("sweep", out, "--seed 7,8")).exit_code == 0);
  const auto rows = lines(read_whole_file(out + "/runs.jsonl"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] + "\n" == former);
  CHECK(std::filesystem::exists(out + "/models/" + digits + ".pt"));
  CHECK_THAT(read_whole_file(out + "/runs.csv"), ContainsSubstring("\nr" + digits + ","));
}

TEST_CASE("a saved model is that of the last line with its id", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out"), run = "sweep --pos rope --train-len 4..6 --steps 1 --eval-len 4,5,6 ";
  const std::string sizes = "--train-size 64 --batch-size 64 --val-size 30 --eval-size 20 --vocab 4 --out ";
  CHECK(posenc_command(run + "--timeout-per-run 0.000001 " + sizes + out).exit_code == 1);
  CHECK(posenc_command(run + "--retry-failed " + sizes + out).exit_code == 0);
  const auto rows = lines(read_whole_file(out + "/runs.jsonl"));
  REQUIRE(rows.size() == 2);
  CHECK(nlohmann::json::parse(rows[0])["status"] == "failed");
  const auto stored = nlohmann::json::parse(rows[1])["lengths"];
  CHECK(std::count(stored["trained"].begin(), stored["trained"].end(), true) == 1);  // one step has one length
  const auto asked = lines(posenc_command({"eval", only_model(out), "--json"}).data);
  REQUIRE(asked.size() >= 4);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto line = nlohmann::json::parse(asked[i + 1]);
    CHECK(line["trained"] == stored["trained"][i]);
    CHECK(line["accuracy"] == stored["accuracy"][i]);
  }
}

TEST_CASE("a model whose line is damaged is not opened as another run's", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out, "--seed 7")).exit_code == 0);
  std::string text = read_whole_file(out + "/runs.jsonl");
  text[text.size() - 100] ^= 1;
  folder.file("out/runs.jsonl", text);
  for (const char* command : {"eval", "predict", "attention"}) {
    std::vector<std::string> arguments = {command, only_model(out)};
    if (std::string(command) != "eval") arguments.insert(arguments.end(), {"--tokens", "1,2,3,4"});
    refused(arguments, "no whole line says how the model was trained");
  }
  refused({"inspect", "--model", only_model(out)}, "runs.jsonl:1: damaged line (its checksum does not match)");
}

TEST_CASE("results without their model are said, with what to do", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out)).exit_code == 0);
  const std::string id = std::filesystem::path(only_model(out)).stem();
  CHECK_THAT(posenc_command(quick("compare", out)).talk, !ContainsSubstring("not the model"));
  std::filesystem::remove(out + "/models/" + id + ".pt");
  const std::string note =
      "note: " + out + " has the result but not the model of 1 finished run (" + id + "); --force runs it again";
  CHECK_THAT(posenc_command(quick("compare", out)).talk, ContainsSubstring(note));
  CHECK_THAT(posenc_command(quick("sweep", out)).talk, ContainsSubstring(note));
  refused(quick("", out), "--out already has this run, but not its model (given");
  const Outcome merged = posenc_command({"merge", out, "--out", folder.path("all")});
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.talk, ContainsSubstring("1 finished run was without a model") && ContainsSubstring(id));
  CHECK(posenc_command(quick("sweep", out, "--seed 0..9")).exit_code == 0);
  for (const auto& entry : std::filesystem::directory_iterator(out + "/models")) std::filesystem::remove(entry.path());
  CHECK_THAT(posenc_command(quick("sweep", out, "--seed 0..9")).talk,
             ContainsSubstring("the model of 10 finished runs (r") && ContainsSubstring(", ...); --force runs them"));
  const Outcome forced = posenc_command(quick("sweep", out, "--force --max-runs 1"));
  CHECK_THAT(forced.talk, !ContainsSubstring("not the model"));
}

TEST_CASE("every command refuses a folder with a line of another release, and names the line", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  CHECK(posenc_command(quick("", out)).exit_code == 0);
  auto json = nlohmann::ordered_json::parse(read_whole_file(out + "/runs.jsonl"));
  json.erase("crc");
  json["config"]["frobnicate"] = 3;
  const std::string stored = read_whole_file(out + "/runs.jsonl") + sealed(json) + "\n";
  folder.file("out/runs.jsonl", stored);
  const std::string why = out + "/runs.jsonl:2: of another release, since this one does not know config.frobnicate";
  for (const char* command : {"", "compare", "sweep", "sweep --dry-run"}) refused(quick(command, out), why);
  for (const char* command : {"report", "eval", "predict --tokens 1", "attention --tokens 1", "inspect --model"}) {
    auto arguments = words(command);
    arguments.push_back(arguments[0] == "report" ? out : only_model(out));
    refused(arguments, arguments[0] == "report" ? why : "of another release, since this one does not know");
  }
  refused({"diff", out, out}, why);
  refused({"merge", out, "--out", folder.path("all")}, why);
  CHECK(read_whole_file(out + "/runs.jsonl") == stored);
  CHECK_FALSE(std::filesystem::exists(folder.path("all")));
}

TEST_CASE("a file system without flock is said, and one process still has the folder", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const std::string command = std::string("LD_PRELOAD=") + POSENC_NO_FLOCK + " " + POSENC_BINARY + " " + kQuick;
  const auto run = [&](const std::string& more) {
    const std::string all = command + more + " --out " + out + " 2>" + folder.path("talk") + " >" + folder.path("data");
    return WEXITSTATUS(std::system(all.c_str()));
  };
  CHECK(run("") == 0);
  CHECK_THAT(read_whole_file(folder.path("talk")), ContainsSubstring("has no flock (No locks available)"));
  CHECK_FALSE(std::filesystem::exists(out + "/lock.process"));
  folder.file("out/lock.process", "process 1 on elsewhere\n");
  CHECK(run("--seed 1") == 2);
  CHECK_THAT(read_whole_file(folder.path("talk")),
             StartsWith("posenc: error: --out is held by process 1 on elsewhere, of which this machine cannot see"));
  CHECK(lines(read_whole_file(out + "/runs.jsonl")).size() == 1);
}

TEST_CASE("kill -9 at any moment of a comparison leaves a folder that a repeat completes", "[cli]") {
  const TemporaryFolder folder;
  const std::string undisturbed = folder.path("undisturbed"), out = folder.path("out");
  const std::string more = "--pos learnable,fixed,learnable:std=1,learnable:std=2 --train-size 500 --epochs 4";
  const std::vector<std::string> sizes = {"--val-size", "50", "--seq-len", "4", "--vocab", "10"};
  const auto compare = [&](const std::string& where) {
    auto arguments = words("compare " + more);
    arguments.insert(arguments.end(), sizes.begin(), sizes.end());
    arguments.insert(arguments.end(), {"--out", where});
    return arguments;
  };
  CHECK(posenc_command(compare(undisturbed)).exit_code == 0);
  for (int i = 0; i < 20; ++i) {
    Process process(compare(out));
    usleep(static_cast<useconds_t>(250'000 + 40'000 * i));
    process.signal(SIGKILL);
    process.wait();
    if (std::filesystem::exists(out)) CHECK(Store(out, catalog()).damage().empty());
  }
  CHECK(posenc_command(compare(out)).exit_code == 0);
  CHECK(read_whole_file(out + "/epochs.csv") == read_whole_file(undisturbed + "/epochs.csv"));
}

TEST_CASE("Ctrl-C drops the run in flight and keeps the finished ones", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  auto arguments = words("compare --pos learnable,fixed --epochs 3 --train-size 640 --log-every 1 --out");
  arguments.push_back(out);
  {
    Process process(arguments);
    while (process.read_line() != "=== fixed ===") {
    }
    process.signal(SIGINT);
    CHECK(process.wait() == 130);
  }
  const Store store(out, catalog());
  CHECK(lines(read_whole_file(out + "/runs.jsonl")).size() == 1);
}

TEST_CASE("a model whose weights are not finite answers nothing: one line and exit 1", "[cli]") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  REQUIRE(posenc_command(quick("", out)).exit_code == 0);
  const std::string model = only_model(out);
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    poison(model, "classifier.bias", value);
    for (const std::vector<std::string>& asked :
         std::vector<std::vector<std::string>>{{"eval", model},
                                               {"eval", model, "--eval-len", "4,8", "--oob", "clamp"},
                                               {"predict", model, "--tokens", "3,1,4,1"},
                                               {"attention", model, "--tokens", "3,1,4,1"},
                                               {"inspect", "--model", model, "--seq-len", "4", "--vocab", "10"}}) {
      INFO(asked.front() << ", " << value);
      const Outcome outcome = posenc_command(asked);
      CHECK(outcome.exit_code == 1);
      CHECK(outcome.data.empty());
      CHECK(lines(outcome.talk).size() == 1);
      CHECK_THAT(outcome.talk, ContainsSubstring("classifier.bias has 1 of 2 values that are not finite"));
    }
  }
}

TEST_CASE("a run whose model answers nothing at the end has diverged, and its model is not kept", "[cli]") {
  const TemporaryFolder folder;
  // The ninth step leaves a finite loss behind and weights that are too large for an answer; found by trying.
  const std::string run = "--optimizer sgd --lr 1 --train-size 64 --val-size 20 --seq-len 4 --norm pre --vocab 4 ";
  const Outcome outcome = posenc_command(words(run + "--steps 9 --log-every 9 --out " + folder.path("out")));
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.talk, ContainsSubstring("the logits of validation are not finite after round 1"));
  const std::vector<RunRecord> records = read_runs(folder.path("out"), catalog()).records.take();
  REQUIRE(records.size() == 1);
  CHECK(records[0].result.status == RunResult::Status::diverged);
  CHECK(std::filesystem::is_empty(folder.path("out") + "/models"));
}
