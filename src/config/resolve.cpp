#include "config/resolve.h"

#include <fmt/format.h>

#include "config/choice.h"
#include "config/fields.h"
#include "posenc/error.h"

namespace posenc {

Resolved resolve(const Settings& settings, const Catalog& catalog) {
  Resolved resolved;
  for (const auto& [name, setting] : settings) {
    const Field& field = *find_field(name);
    field.set(resolved.config, parse_value(field.type, setting.text, setting.origin.describe(name)));
  }
  for (const Field& field : fields())
    if (field.derive && !settings.contains(field.name)) field.derive(resolved.config);
  check(resolved.config, catalog);
  resolved.settings = settings;
  for (const Field& field : fields()) {
    Setting& setting = resolved.settings[field.name];
    setting.text = to_text(field.get(resolved.config));
  }
  return resolved;
}

void check(RunConfig& config, const Catalog& catalog) {
  const ChoiceText pos = split_choice(config.pos, "--pos");
  const EncodingEntry& encoding = find_entry(catalog.encodings, pos.name, "--pos", "encoding");
  config.pos = canonical_choice(encoding, read_parameters(encoding, pos, "--pos"));

  const ChoiceText task_text = split_choice(config.task, "--task");
  const TaskEntry& task = find_entry(catalog.tasks, task_text.name, "--task", "task");
  config.task = canonical_choice(task, read_parameters(task, task_text, "--task"));

  if (config.d_model % config.heads != 0)
    throw Error(fmt::format("--heads must divide --d-model (given {} and {})", config.heads, config.d_model));
  if (config.seq_len < task.least_length)
    throw Error(fmt::format("--seq-len is too short for {} (given {}, allowed: integer >= {})", config.task,
                            config.seq_len, task.least_length));
  if (encoding.bound_to_table && config.seq_len > config.max_len)
    throw Error(
        fmt::format("--seq-len {} is longer than the position table of {} (--max-len {}, allowed: --max-len >= "
                    "--seq-len)",
                    config.seq_len, encoding.name, config.max_len));
}

}  // namespace posenc
