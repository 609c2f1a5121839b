#include "config/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "config/curriculum_choice.h"
#include "config/encoding_choice.h"
#include "config/fields.h"
#include "config/held_out.h"
#include "config/lengths.h"
#include "config/schedule_choice.h"
#include "config/task_choice.h"
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

void derive_unset(RunConfig& config, const Settings& given, const Catalog& catalog) {
  // Twice, since a default may follow from one further down the table, which follows from a third.
  for (int pass = 0; pass < 2; ++pass)
    for (const Field& field : fields())
      if (field.derive && !given.contains(field.name)) field.derive(config, catalog);
}

Resolved resolve_unchecked(const Settings& settings, const Catalog& catalog) {
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
  derive_unset(resolved.config, settings, catalog);
  for (const Field& field : fields()) resolved.settings[field.name].text = to_text(field.get(resolved.config));
  return resolved;
}

Resolved resolve(const Settings& settings, const Catalog& catalog) {
  Resolved resolved = resolve_unchecked(settings, catalog);
  check(resolved.config, catalog, settings);
  for (const Field& field : fields()) resolved.settings[field.name].text = to_text(field.get(resolved.config));
  return resolved;
}

namespace {

// What is given twice in other words, or makes no sense together.
void check_lengths(const RunConfig& config, const Catalog& catalog, const Settings& given,
                   const std::function<std::string(const std::string&)>& what) {
  for (const Field& field : fields())
    if (given.contains(field.name) && is_displaced(field, config)) {
      const Field& other = *alternative_to(field);
      throw Error(fmt::format("{} and {} say the same in two ways (given {} and {}, allowed: one of them)",
                              what(other.name), what(field.name), to_text(other.get(config)),
                              to_text(field.get(config))));
    }
  if (config.train_len.empty() && config.curriculum != catalog.curricula.front().name)
    throw Error(fmt::format("{} needs lengths to choose from (given {}, add --train-len A..B)", what("curriculum"),
                            config.curriculum));
  if (!config.train_len.empty() && config.data != "online")
    throw Error(fmt::format(
        "{} is fixed, and a range of lengths is drawn online (given fixed with --train-len {}, allowed: online)",
        what("data"), config.train_len));
  if (const std::int64_t lengths = trained_lengths(config).count(); config.val_size < lengths)
    throw Error(
        fmt::format("{} leaves trained lengths without a sequence (given {} for {} lengths, allowed: integer >= {})",
                    what("val-size"), config.val_size, lengths, lengths));
  if (config.holdout_pairs > 0) {
    constexpr std::int64_t kMost = 1000;
    if (config.vocab > kMost)
      throw Error(fmt::format("{} counts the pairs of tokens (given with --vocab {}, allowed: up to {})",
                              what("holdout-pairs"), config.vocab, kMost));
    // At least one whole pair, and one that is left.
    const auto pairs = static_cast<double>(config.vocab * config.vocab);
    const std::int64_t held = held_out_pairs(config);
    if (config.holdout_pairs < 1 / pairs || held >= config.vocab * config.vocab)
      throw Error(fmt::format("{} holds out {:.3g} of {} pairs (given {}, allowed: from {:.4g}, below {:.4g})",
                              what("holdout-pairs"), config.holdout_pairs * pairs, pairs, config.holdout_pairs,
                              1 / pairs, 1 - 0.5 / pairs));
  }
}

}  // namespace

std::string canonical_text(const Field& field, const std::string& text, const Catalog& catalog,
                           const std::string& what) {
  using Canonical = std::string (*)(const std::string&, const Catalog&, const std::string&);
  static const std::map<std::string, Canonical> table = {
      {"pos",
       [](const std::string& given, const Catalog& known, const std::string& name) {
         if (split_choices(given).size() > 1)
           throw Error(fmt::format(
               "{} names several encodings (given '{}', allowed: one; posenc compare takes several)", name, given));
         return canonical_choice(read_encoding_choice(given, known, name));
       }},
      {"task",
       [](const std::string& given, const Catalog& known, const std::string& name) {
         const TaskChoice task = read_task_choice(given, known, name);
         return canonical_choice(*task.entry, task.parameters);
       }},
      {"curriculum",
       [](const std::string& given, const Catalog& known, const std::string& name) {
         const CurriculumChoice curriculum = read_curriculum_choice(given, known, name);
         return canonical_choice(*curriculum.entry, curriculum.parameters);
       }},
      {"train-len",
       [](const std::string& given, const Catalog&, const std::string& name) {
         return given.empty() ? given : length_range_text(read_length_range(given, name));
       }},
      {"eval-len", [](const std::string& given, const Catalog&,
                      const std::string& name) { return lengths_text(read_lengths(given, name)); }},
      {"schedule",
       [](const std::string& given, const Catalog& known, const std::string& name) {
         const ScheduleChoice schedule = read_schedule_choice(given, known, name);
         return canonical_choice(*schedule.entry, schedule.parameters);
       }},
  };
  const auto canonical = table.find(field.name);
  return canonical == table.end() ? text : canonical->second(text, catalog, what);
}

std::string revisions_in(const Field& field, const std::string& text, const Catalog& catalog) {
  std::string all;
  const auto add = [&](const CatalogEntry& entry, const Parameters& parameters) {
    const std::int64_t revision = entry.revision == nullptr ? 1 : entry.revision(parameters);
    if (revision != 1) all += fmt::format("{}{}={}", all.empty() ? "" : ",", entry.name, revision);
  };
  if (field.name == "pos") {
    const EncodingChoice choice = read_encoding_choice(text, catalog, "--pos");
    add(*choice.entry, choice.parameters);
    for (const auto& [wrapper, parameters] : choice.wrappers) add(*wrapper, parameters);
  } else if (field.name == "task") {
    const TaskChoice choice = read_task_choice(text, catalog, "--task");
    add(*choice.entry, choice.parameters);
  }
  return all;
}

void set_revisions(RunConfig& config, const std::vector<std::string>& of_entries) {
  std::vector<std::string> all;
  for (const std::string& revisions : of_entries)
    if (!revisions.empty()) all.push_back(revisions);
  if (held_out_otherwise(config)) all.emplace_back("holdout-pairs=2");
  config.revisions = fmt::format("{}", fmt::join(all, ","));
}

void canonicalise(RunConfig& config, const Catalog& catalog, const Settings& given) {
  for (const Field& field : fields()) {
    const Value value = field.get(config);
    if (const auto* text = std::get_if<std::string>(&value))
      field.set(config, canonical_text(field, *text, catalog, name_of(field.name, given)));
  }
  std::vector<std::string> revisions;
  for (const Field& field : fields())
    if (field.is_choice) revisions.push_back(revisions_in(field, std::get<std::string>(field.get(config)), catalog));
  set_revisions(config, revisions);
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
  check_lengths(config, catalog, given, what);
  if (config.momentum != 0 && config.optimizer != "sgd")
    throw Error(fmt::format("{} is of sgd alone (given {} with --optimizer {}, allowed: 0)", what("momentum"),
                            config.momentum, config.optimizer));
  check_schedule(read_schedule_choice(config.schedule, catalog, "--schedule"), config, what("schedule"));
  check_task(read_task_choice(config.task, catalog, "--task"), config, what);
  const EncodingChoice encoding = read_encoding_choice(config.pos, catalog, "--pos");
  check_encoding(encoding, config, catalog, what("pos"), what(config.train_len.empty() ? "seq-len" : "train-len"));
  if (const std::int64_t longest = longest_evaluated(config); longest > 0)
    check_positions(encoding, config, what("eval-len"), longest, trained_positions(encoding, config),
                    !given.contains("max-len"));
}

}  // namespace posenc
