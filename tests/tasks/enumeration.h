// Exhaustive enumeration of a task's sequences: what closed forms and counting are compared with.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/task_choice.h"
#include "posenc/error.h"
#include "posenc/task.h"
#include "tasks/registry.h"

namespace posenc {

// Every task at its defaults, and some at other parameters.
inline std::vector<TaskChoice> task_choices() {
  static const Catalog catalog = [] {
    Catalog tasks;
    tasks.tasks = all_tasks();
    return tasks;
  }();
  std::vector<std::string> names;
  for (const TaskEntry& entry : catalog.tasks) names.push_back(entry.name);
  for (const char* name :
       {"kth:k=1", "kth:k=2", "contains:w=1", "contains:w=0-1", "contains:w=1-0-1", "contains:w=0-0-1",
        "contains:w=1-0-1-1", "mod-sum:m=2", "mod-sum:m=3", "mod-sum:m=7", "repeat-at:k=1", "repeat-at:k=2"})
    names.emplace_back(name);
  std::vector<TaskChoice> choices;
  for (const std::string& name : names) choices.push_back(read_task_choice(name, catalog, "--task"));
  return choices;
}

// A task with a vocabulary of its own is tried with that one alone, in the place of vocabulary 5.
inline bool exists(const TaskChoice& choice, int length, int vocab) {
  RunConfig config;
  config.seq_len = length;
  config.vocab = vocab;
  try {
    check_task(choice, config, [](const std::string& name) { return name; });
  } catch (const Error&) {
    return false;
  }
  return true;
}

// Calls `visit` with every sequence that can be drawn.
template <typename Visit>
void every_sequence(const TaskChoice& choice, int length, int vocab, Visit visit) {
  std::vector<std::int64_t> tokens(static_cast<std::size_t>(length), 0);
  for (;;) {
    bool legal = true;
    // The one task that not every sequence belongs to: digits, with operators between.
    if (choice.entry->name == "modular-arithmetic")
      for (std::size_t i = 0; i < tokens.size(); ++i) legal = legal && (tokens[i] >= 5) == (i % 2 == 1);
    if (legal) visit(tokens);
    int i = 0;
    while (i < length && ++tokens[static_cast<std::size_t>(i)] == vocab) tokens[static_cast<std::size_t>(i++)] = 0;
    if (i == length) return;
  }
}

// Every sequence with its label, by definition, and the probability of drawing it: uniform, or for a balanced task
// uniform within a class and every class alike.
struct Drawn {
  Drawn(const TaskChoice& choice, int length, int vocab) {
    std::vector<double> size(static_cast<std::size_t>(choice.entry->make(choice.parameters)->classes()), 0.0);
    every_sequence(choice, length, vocab, [&](const std::vector<std::int64_t>& tokens) {
      sequences.push_back(tokens);
      labels.push_back(choice.entry->definition(choice.parameters, tokens));
      ++size[static_cast<std::size_t>(labels.back())];
    });
    for (const std::int64_t label : labels)
      probabilities.push_back(choice.entry->balanced
                                  ? 1 / (static_cast<double>(size.size()) * size[static_cast<std::size_t>(label)])
                                  : 1 / static_cast<double>(sequences.size()));
  }

  std::vector<std::vector<std::int64_t>> sequences;
  std::vector<std::int64_t> labels;
  std::vector<double> probabilities;
};

}  // namespace posenc
