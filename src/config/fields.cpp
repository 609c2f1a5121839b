#include "config/fields.h"

#include <algorithm>
#include <charconv>

namespace posenc {
namespace {

constexpr const char* kModel = "Position encoding and model";
constexpr const char* kData = "Task and data";
constexpr const char* kTraining = "Training";
constexpr const char* kMachine = "Machine";
constexpr const char* kOutput = "Output";

constexpr std::int64_t kMostThreads = 1024;

bool is_device(std::string_view text) {
  if (text == "cpu" || text == "cuda") return true;
  if (!text.starts_with("cuda:")) return false;
  const std::string_view index = text.substr(5);
  int number = -1;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), number);
  return error == std::errc() && end == index.data() + index.size() && number >= 0 && number < 128;
}

std::vector<Field> make_fields() {
  using C = RunConfig;
  const auto at_least = [](std::int64_t least) { return ValueType::integer(least); };
  return {
      {"pos", kModel, "NAME", "position encoding, NAME[:key=value,...]", ValueType::text(), &C::pos},
      {"d-model", kModel, "N", "width of the model", at_least(1), &C::d_model},
      {"heads", kModel, "N", "attention heads, a divisor of d-model", at_least(1), &C::heads},
      {"layers", kModel, "N", "encoder layers", at_least(1), &C::layers},
      {"ffn", kModel, "N", "hidden width of the feed-forward network", at_least(1), &C::ffn},
      {"dropout", kModel, "P", "dropout probability in training", ValueType::real("[0, 1)"), &C::dropout},
      {.name = "max-len",
       .group = kModel,
       .placeholder = "N",
       .help = "rows of a trained position table",
       .type = at_least(1),
       .member = &C::max_len,
       .derived_text = "seq-len",
       .derive = [](RunConfig& config) { config.max_len = config.seq_len; }},

      {"task", kData, "NAME", "what is learned, NAME[:key=value,...]", ValueType::text(), &C::task},
      {"seq-len", kData, "N", "tokens in a sequence", at_least(2), &C::seq_len},
      {"vocab", kData, "N", "different tokens", at_least(2), &C::vocab},
      {"train-size", kData, "N", "training sequences", at_least(1), &C::train_size},
      {"val-size", kData, "N", "validation sequences", at_least(1), &C::val_size},

      {"epochs", kTraining, "N", "passes over the training sequences", at_least(0), &C::epochs},
      {"batch-size", kTraining, "N", "sequences in a step", at_least(1), &C::batch_size},
      {"lr", kTraining, "X", "learning rate of Adam", ValueType::real("(0, 10]"), &C::lr},
      {"seed", kTraining, "N", "seed of every random number of the run", ValueType::integer(0, 4294967295), &C::seed},

      {.name = "device",
       .group = kMachine,
       .placeholder = "D",
       .help = "where to train",
       .type = ValueType::text("cpu, cuda or cuda:INDEX", is_device),
       .member = &C::device,
       .environment = "POSENC_DEVICE"},
      {.name = "threads",
       .group = kMachine,
       .placeholder = "N",
       .help = "threads inside an operator (more is slower at these sizes)",
       .type = ValueType::integer(1, kMostThreads),
       .member = &C::threads,
       .environment = "POSENC_THREADS"},

      {.name = "log-every",
       .group = kOutput,
       .placeholder = "N",
       .help = "print every N epochs, and the last",
       .type = at_least(1),
       .member = &C::log_every,
       .identity = false},
      {.name = "json",
       .group = kOutput,
       .placeholder = "",
       .help = "print one JSON object for every epoch",
       .type = ValueType::flag(),
       .member = &C::json,
       .identity = false},
      {.name = "config",
       .group = kOutput,
       .placeholder = "FILE",
       .help = "read options from a TOML file, over which flags win",
       .type = ValueType::text(),
       .member = &C::config,
       .identity = false,
       .in_file = false},
      {.name = "expect-val-acc",
       .group = kOutput,
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

std::string Field::default_text() const { return derive ? derived_text : to_text(get(RunConfig{})); }

const std::vector<Field>& fields() {
  static const std::vector<Field> table = make_fields();
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

}  // namespace posenc
