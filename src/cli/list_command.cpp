// posenc list encodings: what --pos can be, for people, programs and the README.
#include "cli/command.h"
#include "config/choice.h"
#include "config/resolve.h"
#include "posenc/error.h"
#include "report/catalog_text.h"

namespace posenc {

int list_command(const ParsedOptions& options, Console& console) {
  const std::vector<std::string> known = {"encodings"};
  if (options.positional.empty()) throw Error(fmt::format("nothing is named (allowed: {})", known.front()));
  if (options.positional.front() != known.front()) refuse_name(options.positional.front(), known, "list", "table");
  const bool markdown = options.extras.contains("markdown");
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  if (markdown && config.json) throw Error("--markdown and --json are two forms of one output (allowed: one of them)");
  if (markdown) {
    console.print("{}", encodings_markdown(catalog()));
  } else if (config.json) {
    console.print("{}", encodings_json(catalog(), encoding_sizes(config)).dump(2));
  } else {
    console.print("{}", encodings_text(catalog(), encoding_sizes(config)));
  }
  return 0;
}

}  // namespace posenc
