// posenc compare [--pos a,b,...] [options]: trains one model an encoding and sets their results side by side.
#include <cmath>

#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "config/choice.h"
#include "config/memory.h"
#include "config/resolve.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr const char* kPublishedPair = "learnable,fixed";

// One configuration an encoding, all checked before the first is trained.
std::vector<RunConfig> plan(Settings settings) {
  Setting& pos = settings.try_emplace("pos", Setting{kPublishedPair, {}}).first->second;
  const std::string where = pos.origin.describe("pos");
  std::vector<RunConfig> configs;
  for (const std::string& choice : split_choices(pos.text)) {
    pos.text = choice;
    configs.push_back(resolve(settings, catalog()).config);
    check_memory(configs.back(), catalog());
    for (std::size_t i = 0; i + 1 < configs.size(); ++i)
      if (configs[i].pos == configs.back().pos)
        throw Error(fmt::format("{}: an encoding stands twice (given '{}')", where, choice));
  }
  return configs;
}

std::string summary_line(const RunConfig& config, const RunResult& result) {
  const EpochResult last = result.last();
  const std::string loss = std::isnan(last.train_loss) ? "-" : fmt::format("{:.4f}", last.train_loss);
  const std::string accuracy = std::isnan(last.val_acc) ? "-" : fmt::format("{:.4f}", last.val_acc);
  return fmt::format("Final loss ({}): {} | Val Acc: {} | {:.1f} s", config.pos, loss, accuracy, result.seconds);
}

}  // namespace

int compare_command(const ParsedOptions& options, Console& console) {
  const std::vector<RunConfig> configs = plan(gather(options.settings));
  const bool json = configs.front().json;
  int exit_code = 0;
  std::vector<RunResult> results;
  for (const RunConfig& config : configs) {
    if (!json) console.print("{}=== {} ===", results.empty() ? "" : "\n", config.pos);
    results.push_back(run_and_print(config, console));
  }
  if (!json) console.print("");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!json) console.print("{}", summary_line(configs[i], results[i]));
  }
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (const std::string note = generalisation_note(configs[i], results[i]); !note.empty()) {
      if (json) {
        console.say("note: {}", note);
      } else {
        console.print("{}", note);
      }
    }
    exit_code = std::max(exit_code, judge(configs[i], results[i], console));
  }
  if (configs.size() > 1)
    console.say(
        "note: all weights and data come from one generator, as published, so each encoding meets its own data and "
        "initial weights; compare several seeds before concluding.");
  return exit_code;
}

}  // namespace posenc
