// posenc merge DIR... --out DIR: the folders of a sweep's shards as one.
#include "cli/command.h"
#include "posenc/error.h"
#include "results/manifest.h"
#include "results/merge.h"

namespace posenc {

int merge_command(const ParsedOptions& options, Console& console) {
  if (options.positional.empty()) throw Error("no folder is named (write: posenc merge DIR... --out DIR)");
  const auto out = options.settings.find("out");
  if (out == options.settings.end()) throw Error("merge needs a folder for its results (write: --out DIR)");
  const Resolved resolved = resolve_unchecked(options.settings, catalog());
  const MergeCounts counts = merge(options.positional, out->second.text, catalog(),
                                   describe_invocation(options.arguments, resolved, build_info()));
  console.keep_going();  // the folder is written, and the exit code says whether all of it is
  for (const std::string& line : counts.damage) console.say("warning: {}; left out", one_line(line));
  if (const std::size_t count = counts.without_model.size(); count > 0)
    console.say("note: {} finished run{} without a model in the folders that were merged, {} first", count,
                count == 1 ? " was" : "s were", counts.without_model.front());
  console.print("{} runs, {} of them new, in {}", counts.runs, counts.copied, out->second.text);
  return !counts.damage.empty() ? 1 : 0;
}

}  // namespace posenc
