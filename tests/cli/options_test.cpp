#include "cli/options.h"

#include "cli/command.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/command_line.h"

using namespace posenc;

namespace {

std::string complaint(const std::string& arguments) {
  try {
    parse_options(words(arguments), commands().front());
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("values may follow a space or an equals sign, and may look like options", "[cli]") {
  const Settings settings = parse_options(words("--seed 7 --lr=0.1 --epochs -1 --json"), commands().front()).settings;
  CHECK(settings.at("seed").text == "7");
  CHECK(settings.at("lr").text == "0.1");
  CHECK(settings.at("epochs").text == "-1");  // refused later, by its range
  CHECK(settings.at("json").text == "true");
  CHECK(settings.size() == 4);
}

TEST_CASE("what the command line cannot have is one clear line", "[cli]") {
  CHECK(complaint("--epoch 3") == "unknown option (given '--epoch', nearest: --epochs)");
  CHECK(complaint("--zzzzz") == "unknown option (given '--zzzzz')");
  CHECK(complaint("-x") == "unknown option (given '-x')");
  CHECK(complaint("--seed 1 --seed 2") == "--seed is given 2 times (given 1, 2; allowed: once)");
  CHECK(complaint("--json --json") == "--json is given 2 times (given true, true; allowed: once)");
  CHECK_THAT(complaint("--seed"), StartsWith("--seed lacks its value"));
  CHECK(complaint("--epochs 3 compare") ==
        "a command comes first, and there is one at most (given 'compare' later; write: posenc compare ...)");
  CHECK(complaint("comprae") ==
        "unexpected argument (given 'comprae', commands: compare, eval, predict, attention, list, sample, inspect, "
        "doctor, bench, "
        "sweep, report, diff, merge, config, "
        "nearest: "
        "compare)");
  CHECK(complaint("--seed 1 2") ==
        "unexpected argument (given '2', commands: compare, eval, predict, attention, list, sample, inspect, doctor, "
        "bench, "
        "sweep, report, diff, merge, config)");
}

TEST_CASE("an empty value is a value", "[cli]") {
  CHECK(parse_options({"--pos", ""}, commands().front()).settings.at("pos").text == "");
  CHECK(parse_options({"--pos="}, commands().front()).settings.at("pos").text == "");
}
