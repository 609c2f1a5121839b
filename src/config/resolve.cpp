#include "config/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/encoding_choice.h"
#include "config/fields.h"
#include "config/task_choice.h"
#include "posenc/error.h"
#include "training/schedule.h"

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

// What an error calls an option: by where it was given.
std::string name_of(const std::string& field, const Settings& given) {
  const auto setting = given.find(field);
  return setting == given.end() ? "--" + field : setting->second.origin.describe(field);
}

}  // namespace

EncodingSizes encoding_sizes(const RunConfig& config) {
  return {.d_model = config.d_model,
          .heads = config.heads,
          .layers = config.layers,
          .max_len = config.max_len,
          .causal = config.causal};
}

Resolved resolve_unchecked(const Settings& settings) {
  Resolved resolved;
  resolved.settings = settings;
  for (const auto& [name, setting] : settings) {
    const Field& field = *find_field(name);
    const bool number = field.type.kind == ValueType::Kind::integer || field.type.kind == ValueType::Kind::real;
    if (number && (setting.text.find(',') != std::string::npos || setting.text.find("..") != std::string::npos))
      throw Error(fmt::format("{} is a list (given '{}', allowed: {}; posenc sweep takes lists)",
                              setting.origin.describe(name), setting.text, field.type.describe()));
    field.set(resolved.config, parse_value(field.type, setting.text, setting.origin.describe(name)));
  }
  for (const Field& field : fields()) {
    if (field.derive && !settings.contains(field.name)) field.derive(resolved.config);
    resolved.settings[field.name].text = to_text(field.get(resolved.config));
  }
  return resolved;
}

Resolved resolve(const Settings& settings, const Catalog& catalog) {
  Resolved resolved = resolve_unchecked(settings);
  check(resolved.config, catalog, settings);
  for (const Field& field : fields()) resolved.settings[field.name].text = to_text(field.get(resolved.config));
  return resolved;
}

void canonicalise(RunConfig& config, const Catalog& catalog, const Settings& given) {
  if (split_choices(config.pos).size() > 1)
    throw Error(fmt::format("{} names several encodings (given '{}', allowed: one; posenc compare takes several)",
                            name_of("pos", given), config.pos));
  config.pos = canonical_choice(read_encoding_choice(config.pos, catalog, name_of("pos", given)));
  const std::string what = name_of("task", given);
  const TaskChoice task = read_task_choice(config.task, catalog, what);
  config.task = canonical_choice(*task.entry, task.parameters);
  config.schedule = canonical_choice(read_schedule(config.schedule, name_of("schedule", given)));
}

void check(RunConfig& config, const Catalog& catalog, const Settings& given) {
  canonicalise(config, catalog, given);
  const auto what = [&](const std::string& field) { return name_of(field, given); };
  if (config.seeding == "single" && (config.data_seed != config.seed || config.init_seed != config.seed)) {
    const std::string field = config.data_seed != config.seed ? "data-seed" : "init-seed";
    throw Error(fmt::format("{} needs --seeding paired (given {} under --seeding single, whose one seed is {})",
                            what(field), config.data_seed != config.seed ? config.data_seed : config.init_seed,
                            config.seed));
  }
  if (config.engine == "fused" && config.device != "cpu")
    throw Error(fmt::format("{} computes on the CPU alone (given fused with --device {}, allowed: auto, reference)",
                            what("engine"), config.device));
  if (config.engine == "fused" && config.norm == "pre")
    throw Error(fmt::format(
        "{} computes post-norm layers alone (given fused with --norm pre, allowed: auto, reference)", what("engine")));
  if (config.d_model % config.heads != 0)
    throw Error(fmt::format("{} must divide --d-model (given {} and {}, allowed: {})", what("heads"), config.heads,
                            config.d_model, divisors(config.d_model)));
  if (config.momentum != 0 && config.optimizer != "sgd")
    throw Error(fmt::format("{} is of sgd alone (given {} with --optimizer {}, allowed: 0)", what("momentum"),
                            config.momentum, config.optimizer));
  check_schedule(config, what("schedule"));
  check_task(read_task_choice(config.task, catalog, "--task"), config, what);
  check_encoding(read_encoding_choice(config.pos, catalog, "--pos"), config, catalog, what("pos"), what("seq-len"));
}

}  // namespace posenc
