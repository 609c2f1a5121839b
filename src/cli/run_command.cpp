// posenc [options]: trains one model and prints its curve.
#include "cli/ceilings.h"
#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "cli/results_folder.h"
#include "config/identity.h"
#include "posenc/error.h"

namespace posenc {

int run_command(const ParsedOptions& options, Console& console) {
  const Resolved resolved = resolve(gather(options.settings), catalog());
  const RunConfig& config = resolved.config;
  check_machine(config);
  ResultsFolder folder(options.arguments, resolved, {config}, console);
  if (folder.stored(config) != nullptr)
    throw Error(fmt::format("--out already has this run{} (given '{}', run id {}; --force runs it again)",
                            folder.without_model().empty() ? "" : ", but not its model", config.out,
                            run_id(config, catalog())));
  if (options.verbose) console.say("engine: {}", engine_name(config));
  say_ceiling(config, console);
  const RunResult result = folder.run(config);
  if (const std::string note = generalisation_note(config, result); !note.empty()) console.say("note: {}", note);
  return judge(config, result, console);
}

}  // namespace posenc
