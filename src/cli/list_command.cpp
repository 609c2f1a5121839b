// posenc list encodings|tasks: what --pos and --task can be, for people, programs and the README.
#include <algorithm>

#include "cli/command.h"
#include "config/choice.h"
#include "config/resolve.h"
#include "posenc/error.h"
#include "tools/encodings_text.h"
#include "tools/tasks_text.h"

namespace posenc {
namespace {

struct Table {
  std::string name;
  std::vector<std::string> reads;  // which options, besides config and json
  std::string (*text)(const RunConfig&);
  nlohmann::ordered_json (*json)(const RunConfig&);
  std::string (*markdown)();
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"encodings",
       {"d-model", "heads", "layers", "max-len", "seq-len", "causal"},
       [](const RunConfig& config) { return encodings_text(catalog(), encoding_sizes(config)); },
       [](const RunConfig& config) { return encodings_json(catalog(), encoding_sizes(config)); },
       [] { return encodings_markdown(catalog()); }},
      {"tasks",
       {"seq-len", "vocab"},
       [](const RunConfig& config) { return tasks_text(catalog(), config.seq_len, config.vocab); },
       [](const RunConfig& config) { return tasks_json(catalog(), config.seq_len, config.vocab); },
       [] { return tasks_markdown(catalog()); }},
  };
  return all;
}

}  // namespace

bool read_by_list(const Field& field) {
  return field.name == "config" || field.name == "json" ||
         std::any_of(tables().begin(), tables().end(), [&](const Table& table) {
           return std::find(table.reads.begin(), table.reads.end(), field.name) != table.reads.end();
         });
}

int list_command(const ParsedOptions& options, Console& console) {
  if (options.positional.empty()) throw Error("nothing is named (allowed: encodings, tasks)");
  const Table& table = find_entry(tables(), options.positional.front(), "list", "table");
  for (const auto& [name, setting] : options.settings)
    if (name != "config" && name != "json" &&
        std::find(table.reads.begin(), table.reads.end(), name) == table.reads.end())
      throw Error(fmt::format("list {} does not read this option (given '--{}')", table.name, name));
  const bool markdown = options.extras.contains("markdown");
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  if (markdown && config.json) throw Error("--markdown and --json are two forms of one output (allowed: one of them)");
  if (markdown) {
    console.print("{}", table.markdown());
  } else if (config.json) {
    console.print("{}", table.json(config).dump(2));
  } else {
    console.print("{}", table.text(config));
  }
  return 0;
}

}  // namespace posenc
