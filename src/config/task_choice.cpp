#include "config/task_choice.h"

#include <fmt/format.h>

#include "config/lengths.h"
#include "posenc/error.h"

namespace posenc {

std::int64_t TaskChoice::least_length() const {
  return entry->least_length == nullptr ? 2 : entry->least_length(parameters);
}

std::int64_t TaskChoice::least_vocab() const {
  return entry->least_vocab == nullptr ? 2 : entry->least_vocab(parameters);
}

TaskChoice read_task_choice(std::string_view text, const Catalog& catalog, std::string_view what) {
  const ChoiceText pieces = split_choice(text, what);
  const TaskEntry& entry = find_entry(catalog.tasks, pieces.name, what, "task");
  return {&entry, read_parameters(entry, pieces, what)};
}

void check_task(const TaskChoice& choice, const RunConfig& config,
                const std::function<std::string(const std::string&)>& name_of) {
  const TaskEntry& task = *choice.entry;
  if (!config.train_len.empty()) {
    const LengthRange lengths = trained_lengths(config);
    const bool has_even = lengths.shortest % 2 == 0 || (lengths.count() > 1 && lengths.step % 2 == 1);
    if (lengths.shortest < choice.least_length() || (task.odd_length && has_even))
      throw Error(fmt::format("{} has lengths that {} has not (given {}, allowed: {} or more{})", name_of("train-len"),
                              config.task, config.train_len, choice.least_length(),
                              task.odd_length ? ", odd ones alone, as 3..41:2" : ""));
  }
  for (const std::int64_t length : read_lengths(config.eval_len, name_of("eval-len")))
    if (length < choice.least_length() || (task.odd_length && length % 2 == 0))
      throw Error(fmt::format("{} has a length that {} has not (given {}, allowed: {} or more{})", name_of("eval-len"),
                              config.task, length, choice.least_length(), task.odd_length ? ", odd ones alone" : ""));
  if (config.seq_len < choice.least_length())
    throw Error(fmt::format("{} is too short for {} (given {}, allowed: integer >= {})", name_of("seq-len"),
                            config.task, config.seq_len, choice.least_length()));
  if (task.odd_length && config.seq_len % 2 == 0)
    throw Error(fmt::format("{} is even, and {} has odd lengths alone (given {}, allowed: {}, {}, {}, ...)",
                            name_of("seq-len"), config.task, config.seq_len, choice.least_length(),
                            choice.least_length() + 2, choice.least_length() + 4));
  if (task.vocab != 0 && config.vocab != task.vocab)
    throw Error(fmt::format("{} is not that of {} (given {}, allowed: {}, which is its default)", name_of("vocab"),
                            config.task, config.vocab, task.vocab));
  if (config.vocab < choice.least_vocab())
    throw Error(fmt::format("{} lacks tokens of {} (given {}, allowed: integer >= {})", name_of("vocab"), config.task,
                            config.vocab, choice.least_vocab()));
}

}  // namespace posenc
