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
  const auto rewrite = [&](const std::string& field, const std::string& kind, const auto& entries,
                           std::string& choice) {
    const std::string what = name_of(field, given);
    const ChoiceText text = split_choice(choice, what);
    const auto& entry = find_entry(entries, text.name, what, kind);
    choice = canonical_choice(entry, read_parameters(entry, text, what));
  };
  rewrite("pos", "encoding", catalog.encodings, config.pos);
  rewrite("task", "task", catalog.tasks, config.task);
}

void check(RunConfig& config, const Catalog& catalog, const Settings& given) {
  canonicalise(config, catalog, given);
  const auto what = [&](const std::string& field) { return name_of(field, given); };
  const ChoiceText pos = split_choice(config.pos, "--pos");
  const EncodingEntry& encoding = find_entry(catalog.encodings, pos.name, "--pos", "encoding");
  const TaskEntry& task = find_entry(catalog.tasks, split_choice(config.task, "--task").name, "--task", "task");

  if (config.seeding == "single" && (config.data_seed != config.seed || config.init_seed != config.seed)) {
    const std::string field = config.data_seed != config.seed ? "data-seed" : "init-seed";
    throw Error(fmt::format("{} needs --seeding paired (given {} under --seeding single, whose one seed is {})",
                            what(field), config.data_seed != config.seed ? config.data_seed : config.init_seed,
                            config.seed));
  }
  if (config.d_model % config.heads != 0)
    throw Error(fmt::format("{} must divide --d-model (given {} and {}, allowed: {})", what("heads"), config.heads,
                            config.d_model, divisors(config.d_model)));
  if (config.seq_len < task.least_length)
    throw Error(fmt::format("{} is too short for {} (given {}, allowed: integer >= {})", what("seq-len"), config.task,
                            config.seq_len, task.least_length));
  if (encoding.causal_only && !config.causal)
    throw Error(fmt::format("{}: {} is defined for causal attention alone (add --causal)", what("pos"), encoding.name));
  if (encoding.misfit != nullptr) {
    const std::string why = encoding.misfit(encoding_sizes(config), read_parameters(encoding, pos, "--pos"));
    if (!why.empty()) throw Error(fmt::format("{}: {} {}", what("pos"), encoding.name, why));
  }
  if (encoding.bound_to_table && config.seq_len > config.max_len)
    throw Error(
        fmt::format("{} is longer than the position table of {} (given {}, allowed: up to --max-len, which is {})",
                    what("seq-len"), encoding.name, config.seq_len, config.max_len));
}

}  // namespace posenc
