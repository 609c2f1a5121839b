#include "config/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "config/lengths.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr std::int64_t kMostThreads = 1024;

bool is_device(std::string_view text) {
  if (text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:")) return false;
  const std::string_view index = text.substr(5);
  int number = -1;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), number);
  return error == std::errc() && end == index.data() + index.size() && number >= 0 && number < 128;
}

bool is_given(std::string_view text) { return !text.empty(); }

// cuda:1 trains as cuda:0 does.
std::string device_kind(const std::string& device) { return device.substr(0, device.find(':')); }

// What check() refuses later must not disturb a default.
template <typename Read>
auto if_readable(const std::string& text, Read read) -> std::optional<decltype(read(text, ""))> {
  if (text.empty()) return std::nullopt;
  try {
    return read(text, "");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The one vocabulary of the task that `choice` names, if there is such a task and it has one alone.
std::optional<std::int64_t> prescribed_vocab(const std::string& choice, const Catalog& catalog) {
  const std::string_view name = std::string_view(choice).substr(0, choice.find(':'));
  for (const TaskEntry& entry : catalog.tasks)
    if (entry.name == name && entry.vocab != 0) return entry.vocab;
  return std::nullopt;
}

// Made once, since a sweep asks for it for every run that it plans.
const RunConfig& defaults() {
  static const RunConfig config;
  return config;
}

std::vector<Field> make_fields() {
  using C = RunConfig;
  const ValueType seed_type = ValueType::integer(0, 4294967295);
  const auto at_least = [](std::int64_t least) { return ValueType::integer(least); };
  return {
      {.name = "pos",
       .group = kModelGroup,
       .placeholder = "NAME",
       .help = "position encoding, NAME[:key=value,...][+WRAPPER[:...]]...",
       .type = ValueType::text(),
       .member = &C::pos,
       .is_choice = true},
      {"d-model", kModelGroup, "N", "width of the model", at_least(1), &C::d_model},
      {"heads", kModelGroup, "N", "attention heads, a divisor of d-model", at_least(1), &C::heads},
      {"layers", kModelGroup, "N", "encoder layers", at_least(1), &C::layers},
      {"ffn", kModelGroup, "N", "hidden width of the feed-forward network", at_least(1), &C::ffn},
      {"dropout", kModelGroup, "P", "dropout probability in training", ValueType::real("[0, 1)"), &C::dropout},
      {"norm", kModelGroup, "N", "layer normalisation after each residual sum (post) or before each sublayer (pre)",
       ValueType::choice({"post", "pre"}), &C::norm},
      {"norm-eps", kModelGroup, "X", "what a normalisation adds to the variance", ValueType::real("(0, 1]"),
       &C::norm_eps},
      {.name = "max-len",
       .group = kModelGroup,
       .placeholder = "N",
       .help = "rows of a trained position table",
       .type = at_least(1),
       .member = &C::max_len,
       .derived_text = "seq-len, and 1 for --bos",
       .derive =
           [](RunConfig& config, const Catalog&) {
             config.max_len = config.model_length();
             const auto tested = if_readable(config.eval_len, read_lengths);
             if (tested && config.oob == "untrained")
               config.max_len = std::max(config.max_len, config.model_length(tested->back()));
           }},
      {.name = "bos",
       .group = kModelGroup,
       .placeholder = "",
       .help = "put a learned token in front of every sequence, at position 0; pooled like any other",
       .type = ValueType::flag(),
       .member = &C::bos},
      {.name = "causal",
       .group = kModelGroup,
       .placeholder = "",
       .help = "let attention see no later token",
       .type = ValueType::flag(),
       .member = &C::causal},
      {"pool", kModelGroup, "P", "what of the last layer is classified, over positions",
       ValueType::choice({"mean", "first", "last", "max"}), &C::pool},

      {.name = "task",
       .group = kDataGroup,
       .placeholder = "NAME",
       .help = "what is learned, NAME[:key=value,...]",
       .type = ValueType::text(),
       .member = &C::task,
       .is_choice = true},
      {.name = "seq-len",
       .group = kDataGroup,
       .placeholder = "N",
       .help = "tokens in a sequence",
       .type = at_least(2),
       .member = &C::seq_len,
       .derived_text = fmt::format("{}, or the longest of train-len", RunConfig{}.seq_len),
       .derive =
           [](RunConfig& config, const Catalog&) {
             const auto range = if_readable(config.train_len, read_length_range);
             config.seq_len = range ? range->longest : defaults().seq_len;
           }},
      {.name = "train-len",
       .group = kDataGroup,
       .placeholder = "A..B[:S]",
       .help = "train on these lengths, one a batch, in place of seq-len",
       .type = ValueType::text(),
       .member = &C::train_len,
       .instead_of = "seq-len"},
      {.name = "curriculum",
       .group = kDataGroup,
       .placeholder = "NAME",
       .help = "which of them a step has: uniform, increase[:by=1,every=100], reverse-exponential[:tau=0.1], "
               "on-success[:threshold=0.95]",
       .type = ValueType::text(),
       .member = &C::curriculum,
       .is_choice = true,
       .needs = "train-len"},
      {.name = "data",
       .group = kDataGroup,
       .placeholder = "D",
       .help = "fixed is drawn once, as published; online draws every batch anew",
       .type = ValueType::choice({"fixed", "online"}),
       .member = &C::data,
       .derived_text = "fixed, or online with train-len",
       .derive = [](RunConfig& config,
                    const Catalog&) { config.data = config.train_len.empty() ? "fixed" : "online"; }},
      {"holdout-pairs", kDataGroup, "X",
       "share of (first, last) pairs that training never has and validation has alone", ValueType::real("[0, 1)"),
       &C::holdout_pairs},
      {.name = "vocab",
       .group = kDataGroup,
       .placeholder = "N",
       .help = "different tokens",
       .type = at_least(2),
       .member = &C::vocab,
       .derived_text = fmt::format("{}, or what the task prescribes", RunConfig{}.vocab),
       .derive =
           [](RunConfig& config, const Catalog& catalog) {
             config.vocab = prescribed_vocab(config.task, catalog).value_or(defaults().vocab);
           }},
      {"train-size", kDataGroup, "N", "training sequences", at_least(1), &C::train_size},
      {.name = "val-size",
       .group = kDataGroup,
       .placeholder = "N",
       .help = "validation sequences",
       .type = at_least(1),
       .member = &C::val_size,
       .derived_text = fmt::format("{}, or one for each length of train-len", RunConfig{}.val_size),
       .derive =
           [](RunConfig& config, const Catalog&) {
             const auto range = if_readable(config.train_len, read_length_range);
             config.val_size = std::max(defaults().val_size, range ? range->count() : 0);
           }},

      {.name = "epochs",
       .group = kTrainingGroup,
       .placeholder = "N",
       .help = "passes over the training sequences",
       .type = at_least(0),
       .member = &C::epochs,
       .derived_text = fmt::format("{}, or what steps make", RunConfig{}.epochs),
       .derive =
           [](RunConfig& config, const Catalog&) {
             config.epochs = config.steps == 0 ? defaults().epochs
                                               : (config.steps + steps_of_round(config) - 1) / steps_of_round(config);
           }},
      {.name = "steps",
       .group = kTrainingGroup,
       .placeholder = "N",
       .help = "steps of training, in place of epochs; log-every is then in steps",
       .type = at_least(0),
       .member = &C::steps,
       .instead_of = "epochs"},
      {"batch-size", kTrainingGroup, "N", "sequences in a step", at_least(1), &C::batch_size},
      {"lr", kTrainingGroup, "X", "learning rate", ValueType::real("(0, 10]"), &C::lr},
      {"optimizer", kTrainingGroup, "O", "what makes steps of gradients", ValueType::choice({"adam", "adamw", "sgd"}),
       &C::optimizer},
      {"weight-decay", kTrainingGroup, "X", "L2 of the gradient (adam, sgd), or decoupled from it (adamw)",
       ValueType::real("[0, 10]"), &C::weight_decay},
      {"momentum", kTrainingGroup, "X", "momentum of sgd", ValueType::real("[0, 1)"), &C::momentum},
      {"grad-clip", kTrainingGroup, "X", "greatest norm of all gradients together; 0 for any",
       ValueType::real("[0, 1e38]"), &C::grad_clip},
      {.name = "schedule",
       .group = kTrainingGroup,
       .placeholder = "NAME",
       .help = "the learning rate over the run, NAME[:key=value,...]",
       .type = ValueType::text(),
       .member = &C::schedule,
       .is_choice = true},
      {"seeding", kTrainingGroup, "S",
       "single draws all from one generator, as published; paired gives all encodings the same data, batches and masks",
       ValueType::choice({"single", "paired"}), &C::seeding},
      {"seed", kTrainingGroup, "N", "seed of every random number of the run", seed_type, &C::seed},
      {.name = "data-seed",
       .group = kTrainingGroup,
       .placeholder = "N",
       .help = "under paired seeding, seed of the data alone",
       .type = seed_type,
       .member = &C::data_seed,
       .derived_text = "seed",
       .derive = [](RunConfig& config, const Catalog&) { config.data_seed = config.seed; }},
      {.name = "init-seed",
       .group = kTrainingGroup,
       .placeholder = "N",
       .help = "under paired seeding, seed of the initial weights alone",
       .type = seed_type,
       .member = &C::init_seed,
       .derived_text = "seed",
       .derive = [](RunConfig& config, const Catalog&) { config.init_seed = config.seed; }},

      {.name = "device",
       .group = kMachineGroup,
       .placeholder = "D",
       .help = "where to compute",
       .type = ValueType::text("cpu, cuda or cuda:INDEX", is_device),
       .member = &C::device,
       .identity_of = [](const RunConfig& config) -> Value { return device_kind(config.device); },
       .environment = "POSENC_DEVICE"},
      {.name = "threads",
       .group = kMachineGroup,
       .placeholder = "N",
       .help = "threads inside an operator (more is slower at these sizes)",
       .type = ValueType::integer(1, kMostThreads),
       .member = &C::threads,
       .environment = "POSENC_THREADS"},

      {"engine", kMachineGroup, "E", "what computes the layers: auto takes the fused kernels on a CPU with one thread",
       ValueType::choice({"auto", "fused", "reference"}), &C::engine},
      {.name = "deterministic",
       .group = kMachineGroup,
       .placeholder = "",
       .help = "on CUDA, use only algorithms whose results do not vary (slower)",
       .type = ValueType::flag(),
       .member = &C::deterministic},

      {.name = "eval-len",
       .group = kEvaluationGroup,
       .placeholder = "A,B,...",
       .help = "test the trained model at these lengths, as 8,16,64..512:64",
       .type = ValueType::text(),
       .member = &C::eval_len,
       .is_list = true},
      {.name = "eval-size",
       .group = kEvaluationGroup,
       .placeholder = "N",
       .help = "sequences of each test",
       .type = at_least(1),
       .member = &C::eval_size,
       .identity_of = [](const RunConfig& config) -> Value {
         return config.eval_len.empty() ? defaults().eval_size : config.eval_size;
       }},
      {.name = "oob",
       .group = kEvaluationGroup,
       .placeholder = "P",
       .help = "positions beyond those that a table was trained for",
       .type = ValueType::choice({"error", "clamp", "interpolate", "untrained"}),
       .member = &C::oob},

      {.name = "log-every",
       .group = kOutputGroup,
       .placeholder = "N",
       .help = "print every N epochs, and the last; under --steps validate and print every N steps",
       .type = at_least(1),
       .member = &C::log_every,
       .identity_of = [](const RunConfig& config) -> Value {
         return config.steps > 0 ? config.log_every : defaults().log_every;
       },
       .derived_text = fmt::format("{}, or the steps that train-size makes", RunConfig{}.log_every),
       .derive =
           [](RunConfig& config, const Catalog&) {
             config.log_every = config.steps > 0 ? steps_an_epoch(config) : defaults().log_every;
           }},
      {.name = "json",
       .group = kOutputGroup,
       .placeholder = "",
       .help = "print JSON, an object a line; a run one for every epoch",
       .type = ValueType::flag(),
       .member = &C::json,
       .identity = false},
      {.name = "out",
       .group = kOutputGroup,
       .placeholder = "DIR",
       .help = "keep results and models in this folder",
       .type = ValueType::text("the name of a folder", is_given),
       .member = &C::out,
       .identity = false},
      {.name = "force",
       .group = kOutputGroup,
       .placeholder = "",
       .help = "run again what the folder already has",
       .type = ValueType::flag(),
       .member = &C::force,
       .identity = false},
      {.name = "config",
       .group = kOutputGroup,
       .placeholder = "FILE",
       .help = "read options from a TOML file, over which flags win",
       .type = ValueType::text("the name of a file", is_given),
       .member = &C::config,
       .identity = false,
       .in_file = false},
      {.name = "expect-val-acc",
       .group = kOutputGroup,
       .placeholder = "X",
       .help = "exit 1 when the final accuracy is below X",
       .type = ValueType::real("[0, 1]"),
       .member = &C::expect_val_acc,
       .identity = false},
  };
}

}  // namespace

Value Field::get(const RunConfig& config) const {
  return std::visit(
      [&](auto which) -> Value {
        const auto& held = config.*which;
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::optional<double>>) {
          return held ? Value(*held) : Value();
        } else {
          return held;
        }
      },
      member);
}

void Field::set(RunConfig& config, const Value& value) const {
  std::visit(
      [&](auto which) {
        auto& held = config.*which;
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::optional<double>>) {
          const double* number = std::get_if<double>(&value);
          held = number ? std::optional(*number) : std::nullopt;
        } else {
          held = std::get<Held>(value);
        }
      },
      member);
}

Value Field::default_value(const RunConfig& config, const Catalog& catalog) const {
  if (!derive) return get(defaults());
  RunConfig source = config;
  derive(source, catalog);
  return get(source);
}

Value Field::identity_value(const RunConfig& config) const { return identity_of ? identity_of(config) : get(config); }

std::string Field::default_text() const { return derive ? derived_text : to_text(get(defaults())); }

const std::vector<Field>& fields() {
  static const std::vector<Field> table = make_fields();
  return table;
}

const std::vector<const Field*>& identity_fields() {
  static const Field revisions = {.name = "revisions", .type = ValueType::text(), .member = &RunConfig::revisions};
  static const std::vector<const Field*> table = [] {
    std::vector<const Field*> all;
    for (const Field& field : fields())
      if (field.identity) all.push_back(&field);
    all.push_back(&revisions);
    return all;
  }();
  return table;
}

const Field* find_field(std::string_view name) {
  const auto& table = fields();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Field& field) { return field.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const Field& field : fields()) names.push_back(field.name);
  return names;
}

const Field* alternative_to(const Field& field) {
  const auto& table = fields();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Field& other) { return other.instead_of == field.name; });
  return found == table.end() ? nullptr : &*found;
}

bool is_displaced(const Field& field, const RunConfig& config) {
  const Field* other = alternative_to(field);
  return other != nullptr && other->get(config) != other->get(defaults());
}

}  // namespace posenc
