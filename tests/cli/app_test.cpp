// posenc as its users meet it: what each command prints, and how each mistake is answered.
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.h"
#include "config/fields.h"
#include "config/settings.h"
#include "posenc/catalog.h"
#include "support/catch.h"
#include "support/command_line.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

constexpr const char* kQuick = "--train-size 100 --val-size 50 --seq-len 4 ";

}  // namespace

TEST_CASE("a run prints a row every log-every epochs and one after the last", "[cli]") {
  const Outcome outcome = posenc_command(std::string(kQuick) + "--epochs 7 --log-every 3");
  CHECK(outcome.exit_code == 0);
  const auto rows = lines(outcome.data);
  REQUIRE(rows.size() == 3);
  const std::regex row(R"(\[learnable\] Epoch  [367] \| Train Loss: \d\.\d{4} \| Val Acc: [01]\.\d{4})");
  for (const std::string& line : rows) CHECK(std::regex_match(line, row));
}

TEST_CASE("a number does not depend on how often it is printed", "[cli]") {
  const auto rows = [](const std::string& every) {
    return lines(posenc_command(std::string(kQuick) + "--epochs 6 --log-every " + every).data);
  };
  const auto all = rows("1");
  REQUIRE(all.size() == 6);
  CHECK(rows("3") == std::vector<std::string>{all[2], all[5]});
  CHECK(rows("100") == std::vector<std::string>{all[5]});
}

TEST_CASE("under --json every epoch is an object with four keys", "[cli]") {
  const Outcome outcome = posenc_command(std::string(kQuick) + "--epochs 3 --json --pos learnable:std=0.2");
  CHECK(outcome.exit_code == 0);
  const auto rows = lines(outcome.data);
  REQUIRE(rows.size() == 3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto object = nlohmann::json::parse(rows[i]);
    CHECK(object.size() == 4);
    CHECK(object["pos"] == "learnable:std=0.2");
    CHECK(object["epoch"] == i + 1);
    CHECK(object["train_loss"].is_number_float());
    CHECK(object["val_acc"].is_number());
  }
}

TEST_CASE("a run without epochs shows the untrained model", "[cli]") {
  const Outcome text = posenc_command(std::string(kQuick) + "--epochs 0");
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.data, StartsWith("[learnable] Epoch  0 | Train Loss: - | Val Acc: 0."));
  const auto object = nlohmann::json::parse(posenc_command(std::string(kQuick) + "--epochs 0 --json").data);
  CHECK(object["epoch"] == 0);
  CHECK(object["train_loss"].is_null());
}

TEST_CASE("compare heads each run, sums up in a line an encoding and is honest about guessing", "[cli]") {
  const Outcome outcome = posenc_command(std::string("compare ") + kQuick + "--epochs 2 --pos fixed,learnable:std=0");
  CHECK(outcome.exit_code == 0);
  const auto rows = lines(outcome.data);
  REQUIRE(rows.size() >= 8);
  CHECK(rows[0] == "=== fixed ===");
  CHECK_THAT(rows[1], StartsWith("[fixed] Epoch  2 | "));
  CHECK(rows[3] == "=== learnable:std=0 ===");
  CHECK(std::regex_match(rows[6], std::regex(R"(Final loss \(fixed\): \d\.\d{4} \| Val Acc: \d\.\d{4} \| \d+\.\d s)")));
  CHECK_THAT(rows[7], StartsWith("Final loss (learnable:std=0): "));
  CHECK_THAT(outcome.talk, ContainsSubstring("each encoding meets its own data"));
}

TEST_CASE("compare takes learnable and fixed when not told", "[cli]") {
  const Outcome outcome = posenc_command(std::string("compare --json ") + kQuick + "--epochs 1");
  const auto rows = lines(outcome.data);
  REQUIRE(rows.size() == 2);
  CHECK(nlohmann::json::parse(rows[0])["pos"] == "learnable");
  CHECK(nlohmann::json::parse(rows[1])["pos"] == "fixed");
}

TEST_CASE("a run that only guesses is said to", "[cli]") {
  const Outcome guess = posenc_command("compare --pos fixed --epochs 1 --train-size 64 --val-size 200");
  CHECK_THAT(guess.data, ContainsSubstring("fixed did not generalise: its validation accuracy 0."));
  const Outcome learned = posenc_command("compare --pos fixed --vocab 2 --seq-len 2 --lr 0.01 --epochs 10");
  CHECK_THAT(learned.data, !ContainsSubstring("did not generalise"));
}

TEST_CASE("an expectation that is missed is exit 1, one that is met exit 0", "[cli]") {
  const std::string easy = "--vocab 2 --seq-len 2 --lr 0.01 --epochs 10 --expect-val-acc ";
  CHECK(posenc_command(easy + "0.99").exit_code == 0);
  const Outcome missed = posenc_command(std::string(kQuick) + "--epochs 1 --expect-val-acc 1");
  CHECK(missed.exit_code == 1);
  CHECK_THAT(missed.talk, ContainsSubstring("below what was expected (reached 0."));
  CHECK(posenc_command(std::string("compare ") + kQuick + "--epochs 1 --expect-val-acc 1").exit_code == 1);
}

TEST_CASE("config prints TOML that gives the same configuration back", "[cli]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.toml", "epochs = 3\npos = \"learnable:std=0.3\"\n");
  const Outcome first = posenc_command({"config", "--config", file, "--seed", "7"});
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.data, ContainsSubstring("# " + file + ":1") && ContainsSubstring("# --seed") &&
                             ContainsSubstring("# default") && ContainsSubstring("# expect-val-acc =") &&
                             ContainsSubstring("pos = \"learnable:std=0.3\""));
  const Outcome second = posenc_command({"config", "--config", folder.file("b.toml", first.data)});
  CHECK(second.exit_code == 0);
  const auto values = [](const std::string& text) {
    std::string all;
    for (const std::string& line : lines(text)) all += line.substr(0, line.find(" #")) + "\n";
    return all;
  };
  CHECK(values(first.data) == values(second.data));
  const auto object = nlohmann::json::parse(posenc_command("config --json --seed 7").data);
  CHECK(object["seed"]["value"] == 7);
  CHECK(object["seed"]["origin"] == "--seed");
  CHECK(object["lr"]["value"] == 0.001);
  CHECK(object["expect-val-acc"]["value"].is_null());
}

TEST_CASE("config prints TOML that can be read back whatever bytes a folder and a file are named by", "[cli]") {
  const TemporaryFolder folder;
  for (const std::string name : {"a\x7f\"b\\", "Zürich\n", "tab\there"}) {
    const std::string file = folder.file("first " + name, "epochs = 3\n");
    const Outcome first = posenc_command({"config", "--config", file, "--out", name});
    CHECK(first.exit_code == 0);
    const Settings read = read_toml(folder.file("second.toml", first.data));
    CHECK(read.at("out").text == name);
    CHECK(read.at("epochs").text == "3");
  }
  // TOML is UTF-8 and cannot hold this one.
  const std::string name = "n\xffx";
  const std::string file = folder.file(name, "epochs = 3\n");
  const Outcome first = posenc_command({"config", "--config", file, "--out", name});
  CHECK(first.exit_code == 0);
  CHECK_THAT(first.data, ContainsSubstring("it is not UTF-8, which a TOML file has to be: give it as a flag"));
  const Settings read = read_toml(folder.file("third.toml", first.data));
  CHECK_FALSE(read.contains("out"));
  CHECK(read.at("epochs").text == "3");
  const Outcome json = posenc_command({"config", "--json", "--config", file, "--out", name});
  CHECK(json.exit_code == 0);
  CHECK(nlohmann::json::parse(json.data)["out"]["value"] == "n\ufffdx");
}

TEST_CASE("a command's help describes what its own options do", "[cli]") {
  CHECK_THAT(posenc_command("report --help").data,
             ContainsSubstring("--out DIR            write a page, or the --format named, into this folder"));
  CHECK_THAT(posenc_command("merge --help").data,
             ContainsSubstring("--out DIR            write the joined results and models into this folder"));
  for (const Command& command : commands()) {
    INFO(command.name);
    const std::string help = posenc_command(command.name + " --help").data;
    // Folders of models come from training, and so do epochs.
    const bool trains = command.execute == run_command || command.execute == compare_command;
    const bool keeps_runs = trains || command.execute == sweep_command || command.execute == config_command;
    if (!trains) CHECK_THAT(help, !ContainsSubstring("for every epoch"));
    if (!keeps_runs) CHECK_THAT(help, !ContainsSubstring("keep results and models"));
    // "default 16, or the longest of train-len" is for a command that reads --train-len.
    for (const Field& field : fields())
      if (!command.takes(field))
        CHECK_FALSE(std::regex_search(help, std::regex("; default [^;\n]*[ -]" + field.name + "[ ,;\n]")));
  }
}

TEST_CASE("help names every option with its default, and every encoding and task", "[cli]") {
  for (const char* command : {"--help", "-h", "compare --help", "config --help", "--epochs nonsense --help"}) {
    const Outcome outcome = posenc_command(std::string(command));
    CHECK(outcome.exit_code == 0);
    for (const Field& field : fields()) {
      CHECK_THAT(outcome.data, ContainsSubstring("--" + field.name));
      const bool has_own_help = std::string(command) == "config --help" && field.name == "json";
      if (!has_own_help) CHECK_THAT(outcome.data, ContainsSubstring(field.help));
    }
    for (const EncodingEntry& entry : catalog().encodings) CHECK_THAT(outcome.data, ContainsSubstring(entry.formula));
    for (const TaskEntry& entry : catalog().tasks) CHECK_THAT(outcome.data, ContainsSubstring(entry.formula));
  }
}

TEST_CASE("version names posenc, LibTorch and CUDA", "[cli]") {
  const Outcome outcome = posenc_command("--version");
  CHECK(outcome.exit_code == 0);
  CHECK(std::regex_search(outcome.data,
                          std::regex("^posenc " POSENC_VERSION "\nLibTorch 2\\.\\d+\\.\\d+\nCUDA (not )?linked")));
}

TEST_CASE("every value outside its range is refused before anything is trained", "[cli]") {
  for (const char* arguments : {"--seq-len 1",
                                "--vocab 1",
                                "--train-size 0",
                                "--val-size 0",
                                "--epochs -1",
                                "--batch-size 0",
                                "--lr 0",
                                "--lr 10.5",
                                "--lr -1",
                                "--d-model 0",
                                "--heads 0",
                                "--layers 0",
                                "--ffn 0",
                                "--dropout 1",
                                "--dropout -0.1",
                                "--max-len 0",
                                "--seed -1",
                                "--seed 4294967296",
                                "--threads 0",
                                "--log-every 0",
                                "--expect-val-acc 1.1",
                                "--expect-val-acc -1",
                                "--epochs 2147483648",
                                "--epochs 99999999999999999999999"})
    refused(arguments, "out of range");
  for (const char* arguments : {"--lr nan", "--lr inf", "--dropout nan", "--expect-val-acc nan"})
    refused(arguments, "is out of range");
  for (const char* arguments : {"--epochs 1.5", "--epochs x", "--seed 1e3"}) refused(arguments, "is not an integer");
  refused(std::vector<std::string>{"--epochs", ""}, "is not an integer");
  refused(std::vector<std::string>{"--lr", ""}, "is not a number");
}

TEST_CASE("every mistake is one line with what was given, what is allowed and the nearest name", "[cli]") {
  refused("--pos lernable", "nearest: learnable)");
  refused(std::vector<std::string>{"--pos", ""}, "--pos: no name");
  refused("--pos learnable,fixed",
          "--pos names several encodings (given 'learnable,fixed', allowed: one; posenc compare");
  refused("--pos xl:std=1", "unknown parameter of xl (given 'std', known: none)");
  refused("--pos fixed:std=1", "unknown parameter of fixed (given 'std', known: variant)");
  refused("--pos fixed:variant=t2t --d-model 6 --heads 1 --pos fixed", "--pos is given 2 times");
  refused("--pos fixed:variant=t2t --d-model 7 --heads 1",
          "fixed variant=t2t needs an even --d-model of 4 or more (given 7)");
  refused("--pos fixed+random+offset", "two wrappers choose positions (given random and offset, allowed: one)");
  refused("--pos fixed+logn+logn", "two wrappers scale scores (given logn and logn, allowed: one)");
  refused("--pos fox+random", "random chooses positions, which fox does not read (allowed with: learnable, fixed,");
  refused("--pos none+offset", "offset chooses positions, which none does not read");
  refused("--pos learnable+random",
          "positions beyond the table of learnable (given max 2048, allowed: up to --max-len, which is 16)");
  refused("--pos fixed+random:max=15",
          "--seq-len is longer than the positions of random (given 16, allowed: up to 15, its max)");
  refused("--pos fixed+random:samples=3", "random needs eval=mean to read samples (given eval=identity)");
  refused("--pos fixed+radnom", "unknown wrapper (given 'radnom', known: random, offset, logn, nearest: random)");
  refused("--pos rope --d-model 20", "--pos: rope needs an even head width (given d-model 20 / heads 4 = 5)");
  refused("--pos rope:fraction=0.75 --heads 8",
          "rope rotates whole pairs of a head's dimensions (given fraction 0.75 of 2 pairs, allowed: 0.5 or 1)");
  refused("--pos rope:fraction=0.1", "(given fraction 0.1 of 4 pairs, allowed: 0.25)");
  CHECK(posenc_command("config --pos rope:fraction=0.33333 --d-model 24").exit_code == 0);  // a third of 3 pairs
  refused("--pos cope", "--pos: cope is defined for causal attention alone (add --causal)");
  refused("--pos alibi:mode=split --causal", "alibi has nothing to split under --causal");
  refused("--pos t5:buckets=5", "t5 needs an even number of buckets (given 5)");
  refused("--pos rope:pairing=neighbours",
          "rope:pairing is unknown (given 'neighbours', allowed: interleaved, halves)");
  refused("--pool median", "--pool is unknown (given 'median', allowed: mean, first, last, max");
  refused("--seed 1,2", "--seed is a list (given '1,2', allowed: integer 0..4294967295; posenc sweep takes lists)");
  refused("--seed 1..2", "posenc sweep takes lists");
  refused("--pos learnable:std=x", "learnable:std is not a number (given 'x'");
  refused("--task parityy", "unknown task");
  refused("--epoch 3", "unknown option (given '--epoch', nearest: --epochs)");
  refused("--heads 5", "--heads must divide --d-model (given 5 and 32, allowed: 1, 2, 4, 8, 16, 32)");
  refused("--seq-len 20 --max-len 10",
          "longer than the position table of learnable (given 20, allowed: up to --max-len, which is 10)");
  refused("--config /nowhere.toml", "cannot read the file (given '/nowhere.toml': No such file or directory)");
  refused("compare --pos learnable,nope", "unknown encoding (given 'nope'");
  refused("compare --pos fixed,fixed", "an encoding stands twice (given 'fixed')");
  refused("compare --pos learnable,learnable:std=0.1", "an encoding stands twice (given 'learnable:std=0.1')");
  refused(std::vector<std::string>{"compare", "--pos", ""}, "--pos: no name");
  refused("--device gpu", "--device is not allowed (given 'gpu', allowed: cpu, cuda or cuda:INDEX)");
  refused("--device cuda:99", "no such CUDA device");
  refused("--device cuda --engine fused",
          "--engine computes on the CPU alone (given fused with --device cuda, allowed: auto, reference)");
  refused("--train-size 2147483647 --seq-len 2147483647", "of memory");
  refused("--vocab 2147483647 --d-model 2147483644", "of memory");
}

TEST_CASE("a line break in what was given does not break the line", "[cli]") {
  refused(std::vector<std::string>{"--pos", "a\nb"}, "unknown encoding (given 'a\\nb'");
}

TEST_CASE("fixed is not bound to a table", "[cli]") {
  CHECK(posenc_command("--pos fixed --seq-len 20 --max-len 10 --train-size 10 --val-size 10 --epochs 1").exit_code ==
        0);
}
