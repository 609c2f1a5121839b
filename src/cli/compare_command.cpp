// posenc compare [--pos a,b,...] [options]: trains one model an encoding and sets their results side by side.
#include <cmath>

#include "base/files.h"
#include "cli/ceilings.h"
#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "cli/report_page.h"
#include "cli/results_folder.h"
#include "config/choice.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// One configuration an encoding, all checked before the first is trained.
std::vector<Resolved> plan(const ParsedOptions& options) {
  Settings settings = gather(options.settings);
  Setting& pos = settings.try_emplace("pos", Setting{options.lists.at("pos"), {}}).first->second;
  const std::string where = pos.origin.describe("pos");
  std::vector<Resolved> runs;
  for (const std::string& choice : split_choices(pos.text)) {
    pos.text = choice;
    runs.push_back(resolve(settings, catalog()));
    check_machine(runs.back().config);
    for (std::size_t i = 0; i + 1 < runs.size(); ++i)
      if (runs[i].config.pos == runs.back().config.pos)
        throw Error(fmt::format("{}: an encoding stands twice (given '{}')", where, choice));
  }
  return runs;
}

// What the manifest says of the comparison: the configuration that all share, with the list of encodings.
Resolved with_all_encodings(const std::vector<Resolved>& runs) {
  Resolved all = runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) all.config.pos += "," + runs[i].config.pos;
  return all;
}

std::string summary_line(const RunConfig& config, const RunResult& result) {
  const EpochResult last = result.last();
  const std::string loss = std::isnan(last.train_loss) ? "-" : fmt::format("{:.4f}", last.train_loss);
  const std::string accuracy = std::isnan(last.val_acc) ? "-" : fmt::format("{:.4f}", last.val_acc);
  const std::string ceiling = ceiling_text(bounds_of(config, result));
  return fmt::format("Final loss ({}): {} | Val Acc: {} | {:.1f} s{}{}", config.pos, loss, accuracy, result.seconds,
                     ceiling.empty() ? "" : " | ", ceiling);
}

}  // namespace

int compare_command(const ParsedOptions& options, Console& console) {
  const std::vector<Resolved> runs = plan(options);
  std::vector<RunConfig> configs;
  for (const Resolved& run : runs) configs.push_back(run.config);
  const bool json = configs.front().json;
  ResultsFolder folder(options.arguments, with_all_encodings(runs), configs, console);
  if (!configs.front().force) say_without_model(folder.without_model(), configs.front().out, console);
  for (const RunConfig& config : configs) say_ceiling(config, console);
  int exit_code = 0;
  std::vector<RunResult> results;
  for (const RunConfig& config : configs) {
    if (!json) console.print("{}=== {} ===", results.empty() ? "" : "\n", config.pos);
    if (const RunRecord* record = folder.stored(config)) {
      console.say("note: {} is in {} already; this is its stored result (--force runs it again).", config.pos,
                  config.out);
      for (const EpochResult& epoch : record->result.epochs) print_epoch(config, epoch, console);
      print_lengths(config, record->result, console);
      results.push_back(record->result);
    } else {
      results.push_back(folder.run(config));
    }
  }
  if (!json) console.print("");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!json) console.print("{}", summary_line(configs[i], results[i]));
  }
  if (const std::string& out = configs.front().out; !out.empty()) {
    replace_file(out + "/report.html", report_page({out}));
    console.say("{}/report.html shows all runs of the folder", out);
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
  if (configs.size() > 1 && configs.front().seeding == "single")
    console.say(
        "note: under --seeding single, as published, each encoding meets its own data and initial weights; under "
        "--seeding paired all meet the same.");
  return exit_code;
}

}  // namespace posenc
