#include "config/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/choice.h"
#include "config/fields.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// "1, 2, 4, 8", or the least of them where there are many.
std::string divisors(std::int64_t number) {
  constexpr std::size_t kMost = 12;
  std::vector<std::int64_t> all;
  for (std::int64_t i = 1; i <= number && all.size() < kMost && i <= 4096; ++i)
    if (number % i == 0) all.push_back(i);
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

Resolved resolve(const Settings& settings, const Catalog& catalog) {
  Resolved resolved;
  for (const auto& [name, setting] : settings) {
    const Field& field = *find_field(name);
    field.set(resolved.config, parse_value(field.type, setting.text, setting.origin.describe(name)));
  }
  for (const Field& field : fields())
    if (field.derive && !settings.contains(field.name)) field.derive(resolved.config);
  check(resolved.config, catalog, settings);
  resolved.settings = settings;
  for (const Field& field : fields()) {
    Setting& setting = resolved.settings[field.name];
    setting.text = to_text(field.get(resolved.config));
  }
  return resolved;
}

void check(RunConfig& config, const Catalog& catalog, const Settings& given) {
  const auto what = [&](const std::string& field) {
    const auto setting = given.find(field);
    return setting == given.end() ? "--" + field : setting->second.origin.describe(field);
  };
  if (split_choices(config.pos).size() > 1)
    throw Error(fmt::format("{} names several encodings (given '{}', allowed: one; posenc compare takes several)",
                            what("pos"), config.pos));
  const ChoiceText pos = split_choice(config.pos, what("pos"));
  const EncodingEntry& encoding = find_entry(catalog.encodings, pos.name, what("pos"), "encoding");
  config.pos = canonical_choice(encoding, read_parameters(encoding, pos, what("pos")));

  const ChoiceText task_text = split_choice(config.task, what("task"));
  const TaskEntry& task = find_entry(catalog.tasks, task_text.name, what("task"), "task");
  config.task = canonical_choice(task, read_parameters(task, task_text, what("task")));

  if (config.d_model % config.heads != 0)
    throw Error(fmt::format("{} must divide --d-model (given {} and {}, allowed: {})", what("heads"), config.heads,
                            config.d_model, divisors(config.d_model)));
  if (config.seq_len < task.least_length)
    throw Error(fmt::format("{} is too short for {} (given {}, allowed: integer >= {})", what("seq-len"), config.task,
                            config.seq_len, task.least_length));
  if (encoding.bound_to_table && config.seq_len > config.max_len)
    throw Error(
        fmt::format("{} is longer than the position table of {} (given {}, allowed: up to --max-len, which is {})",
                    what("seq-len"), encoding.name, config.seq_len, config.max_len));
}

}  // namespace posenc
