#include "tools/tasks_text.h"

#include <fmt/format.h>

#include "base/json.h"
#include "config/task_choice.h"
#include "plot/table.h"
#include "posenc/error.h"
#include "posenc/task.h"
#include "tools/catalog_parts.h"

namespace posenc {
namespace {

using nlohmann::ordered_json;

std::string lengths_text(const TaskChoice& choice) {
  return fmt::format("{}{} or more", choice.entry->odd_length ? "odd, " : "", choice.least_length());
}

std::string vocab_text(const TaskChoice& choice) {
  return choice.entry->vocab != 0 ? fmt::to_string(choice.entry->vocab)
                                  : fmt::format("{} or more", choice.least_vocab());
}

// Exact accuracies at one length and vocabulary.
struct Here {
  std::int64_t vocab;
  double majority;
  std::optional<double> permutation, reversal;
};

std::optional<Here> here(const TaskChoice& choice, std::int64_t length, std::int64_t vocab) {
  RunConfig config;
  config.task = choice.entry->name;
  config.seq_len = length;
  config.vocab = choice.entry->vocab != 0 ? choice.entry->vocab : vocab;
  try {
    check_task(choice, config, [](const std::string& option) { return option; });
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto task = choice.entry->make(choice.parameters);
  return Here{config.vocab, task->majority_rate(length, config.vocab),
              task->ceiling(View::multiset, length, config.vocab),
              task->ceiling(View::up_to_reversal, length, config.vocab)};
}

std::string accuracy_text(const std::optional<double>& accuracy) {
  return accuracy ? fmt::format("{:.4f}", *accuracy) : "not counted";
}

std::string here_text(const std::optional<Here>& found, std::int64_t length) {
  if (!found) return fmt::format("no sequences of {} tokens here", length);
  return fmt::format("guessing {:.4f}, blind to order {}, blind to reversal {}", found->majority,
                     accuracy_text(found->permutation), accuracy_text(found->reversal));
}

ordered_json here_json(const std::optional<Here>& found) {
  if (!found) return nullptr;
  const auto number = [](const std::optional<double>& accuracy) {
    return accuracy ? json_number(*accuracy) : ordered_json(nullptr);
  };
  return {{"vocab", found->vocab},
          {"majority", found->majority},
          {"ceiling_permutation", number(found->permutation)},
          {"ceiling_reversal", number(found->reversal)}};
}

std::int64_t classes_of(const TaskChoice& choice) { return choice.entry->make(choice.parameters)->classes(); }

const char* drawn_text(const TaskEntry& entry) { return entry.balanced ? "classes balanced" : "tokens independent"; }

}  // namespace

std::string tasks_text(const Catalog& catalog, std::int64_t length, std::int64_t vocab) {
  std::string text = fmt::format(
      "Tasks (--task NAME[:key=value,...]); accuracies at --seq-len {}, --vocab {} or the task's own\n", length, vocab);
  for (const TaskEntry& entry : catalog.tasks) {
    const TaskChoice choice{&entry, defaults_of(entry)};
    text += fmt::format("\n{}    {} classes; length {}; vocabulary {}; {}\n    {}\n", entry_text(entry),
                        classes_of(choice), lengths_text(choice), vocab_text(choice), drawn_text(entry),
                        here_text(here(choice, length, vocab), length));
  }
  text.pop_back();
  return text;
}

ordered_json tasks_json(const Catalog& catalog, std::int64_t length, std::int64_t vocab) {
  auto tasks = ordered_json::array();
  for (const TaskEntry& entry : catalog.tasks) {
    const TaskChoice choice{&entry, defaults_of(entry)};
    ordered_json object = entry_json(entry);
    object["classes"] = classes_of(choice);
    object["least_length"] = choice.least_length();
    object["odd_length"] = entry.odd_length;
    object["vocab"] = entry.vocab == 0 ? ordered_json(nullptr) : ordered_json(entry.vocab);
    object["least_vocab"] = choice.least_vocab();
    object["balanced"] = entry.balanced;
    object["here"] = here_json(here(choice, length, vocab));
    tasks.push_back(object);
  }
  return {{"tasks", tasks}};
}

std::string tasks_markdown(const Catalog& catalog) {
  std::string text =
      "| `--task` | the label | parameters | classes | length | vocabulary | drawn | source |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const TaskEntry& entry : catalog.tasks) {
    const TaskChoice choice{&entry, defaults_of(entry)};
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", entry.name, markdown_cell(entry.formula),
                        parameters_cell(entry), classes_of(choice), lengths_text(choice), vocab_text(choice),
                        drawn_text(entry), markdown_cell(entry.source));
  }
  text.pop_back();
  return text;
}

}  // namespace posenc
