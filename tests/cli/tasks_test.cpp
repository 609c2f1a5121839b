// Tasks on the command line: list tasks, sample, ceilings, and what is asked wrongly.
#include <nlohmann/json.hpp>

#include "posenc/catalog.h"
#include "posenc/task.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"

using namespace posenc;

TEST_CASE("list tasks names every task with its label, parameters, classes and what it needs", "[cli]") {
  const Outcome outcome = posenc_command("list tasks");
  CHECK(outcome.exit_code == 0);
  for (const TaskEntry& entry : catalog().tasks) {
    INFO(entry.name);
    CHECK_THAT(outcome.data, ContainsSubstring("\n" + entry.name + " ") && ContainsSubstring(entry.formula));
    for (const ParameterSpec& spec : entry.parameters) CHECK_THAT(outcome.data, ContainsSubstring(spec.help));
  }
  CHECK_THAT(outcome.data, ContainsSubstring("guessing 0.5000, blind to order 0.5305, blind to reversal 1.0000"));
  const auto list = nlohmann::json::parse(posenc_command("list tasks --json --seq-len 9 --vocab 10").data);
  REQUIRE(list["tasks"].size() == catalog().tasks.size());
  for (const auto& task : list["tasks"]) {
    CHECK(task["classes"] == make_task(task["name"])->classes());
    CHECK_FALSE(task["here"].is_null());
  }
}

TEST_CASE("sample shows the first sequences of a run, labels included", "[cli]") {
  const auto shown = lines(posenc_command("sample --task palindrome --n 5 --vocab 10 --json").data);
  REQUIRE(shown.size() == 5);
  const auto task = make_task("palindrome");
  for (const std::string& line : shown) {
    const auto object = nlohmann::json::parse(line);
    const auto tokens = object["tokens"].get<std::vector<std::int64_t>>();
    CHECK(tokens.size() == 16);
    CHECK(object["label"] == task->label(tokens));
  }
  // More of them begin with the same.
  CHECK(lines(posenc_command("sample --task palindrome --n 7 --vocab 10 --json").data)[4] == shown[4]);
  CHECK_THAT(posenc_command("sample --seq-len 4 --n 1 --seed 3").data, ContainsSubstring("-> "));
  CHECK(lines(posenc_command("sample").data).size() == 10);
}

TEST_CASE("a run says what bounds it before it trains", "[cli]") {
  const std::string tiny = " --train-size 64 --val-size 400 --epochs 1 --vocab 10";
  CHECK_THAT(
      posenc_command("--pos none" + tiny).talk,
      ContainsSubstring(
          "warning: none on first-last-parity cannot be told from guessing here: ceiling 0.5305: permutation; guessing "
          "gives 0.4500 to 0.5500 on a validation set of 400 (95 %)."));
  CHECK_THAT(posenc_command("--pos alibi --task first" + tiny).talk,
             ContainsSubstring("note: alibi on first: ceiling 0.7500: reversal"));
  CHECK(posenc_command("--pos learnable --task kth:k=16" + tiny).talk.find("ceiling") == std::string::npos);
  const Outcome compared = posenc_command("compare --pos none,fixed" + tiny);
  CHECK_THAT(compared.data, ContainsSubstring(" s | ceiling 0.5305: permutation\n"));
}

TEST_CASE("a task with more classes than two is trained, kept and predicted", "[cli]") {
  const std::string sizes = " --task mod-sum:m=7 --vocab 9 --seq-len 5 --train-size 64 --val-size 50 --epochs 2";
  const TemporaryFolder folder;
  const Outcome outcome = posenc_command("--out " + folder.path() + sizes);
  CHECK(outcome.exit_code == 0);
  std::ifstream file(folder.path("runs.jsonl"));
  const auto line = nlohmann::json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  REQUIRE(line["labels"]["train"].size() == 7);
  std::int64_t drawn = 0;
  for (const auto& count : line["labels"]["val"]) drawn += count.get<std::int64_t>();
  CHECK(drawn == 50);
  CHECK(line["bounds"]["ceiling"] == 1);
  CHECK(line["bounds"]["majority"].get<double>() == Approx(1.0 / 7).margin(1e-3));
  const std::string model = folder.path() + "/models/" + line["run_id"].get<std::string>() + ".pt";
  const auto prediction = nlohmann::json::parse(posenc_command("predict " + model + " --tokens 1,2,3,4,5 --json").data);
  CHECK(prediction["probabilities"].size() == 7);
}

TEST_CASE("a task's own vocabulary is the default", "[cli]") {
  const auto vocab = [](const std::string& options) {
    return nlohmann::json::parse(posenc_command("config --json " + options).data)["vocab"]["value"];
  };
  CHECK(vocab("--task cycle-navigation") == 3);
  CHECK(vocab("--task modular-arithmetic --seq-len 9") == 8);
  CHECK(vocab("--task parity") == 100);
}

TEST_CASE("what a task cannot have is one line and exit 2", "[cli]") {
  refused("--task kth:k=20", "--seq-len is too short for kth:k=20 (given 16, allowed: integer >= 20)");
  refused("--task contains:w=1-200", "--vocab lacks tokens of contains:w=1-200 (given 100, allowed: integer >= 201)");
  refused("--task modular-arithmetic",
          "is even, and modular-arithmetic has odd lengths alone (given 16, allowed: 3, 5, 7");
  refused("--task modular-arithmetic --seq-len 9 --vocab 10",
          "--vocab is not that of modular-arithmetic (given 10, allowed: 8, which is its default)");
  refused("--task cycle-navigation --vocab 5", "(given 5, allowed: 3, which is its default)");
  refused("--task kth:k=three", "--task: kth:k is not an integer (given 'three', allowed: integer 1..2147483647)");
  refused("--task contains:w=1--2", "--task: contains:w is not allowed (given '1--2', allowed: tokens joined by -");
  refused("--task mod-sum:k=3", "unknown parameter of mod-sum (given 'k', known: m");
  refused("--task pallindrome", "nearest: palindrome");
  refused("sample --n 0", "--n is out of range (given '0', allowed: integer 1..2147483647)");
  refused("sample --epochs 3", "sample does not read this option (given '--epochs')");
  refused("list tasks --d-model 3", "list tasks does not read this option (given '--d-model')");
}
