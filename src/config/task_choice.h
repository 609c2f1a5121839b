// --task read in full: a task and its parameters.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "config/choice.h"
#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

struct TaskChoice {
  const TaskEntry* entry;  // of the catalog that it was read with
  Parameters parameters;

  std::int64_t least_length() const;
  std::int64_t least_vocab() const;
};

// Reads NAME[:key=value,...]; `what` names the option. Throws Error: not of the grammar, an unknown name, key or value.
TaskChoice read_task_choice(std::string_view text, const Catalog& catalog, std::string_view what);

// Throws Error when the task has no sequences of the length or over the vocabulary of `config`. `name_of` says what an
// error calls an option.
void check_task(const TaskChoice& choice, const RunConfig& config,
                const std::function<std::string(const std::string&)>& name_of);

}  // namespace posenc
