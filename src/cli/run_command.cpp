// posenc [options]: trains one model and prints its curve.
#include "cli/command.h"
#include "cli/epoch_lines.h"
#include "config/memory.h"
#include "config/resolve.h"

namespace posenc {

int run_command(const ParsedOptions& options, Console& console) {
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  check_memory(config, catalog());
  const RunResult result = run_and_print(config, console);
  if (const std::string note = generalisation_note(config, result); !note.empty()) console.say("note: {}", note);
  return judge(config, result, console);
}

}  // namespace posenc
