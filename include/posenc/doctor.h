// What posenc promises, measured on this machine, behind a function that needs no torch header.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

struct Check {
  enum class Outcome { passed, failed, skipped };

  std::string name;     // what is promised: "reversal"
  std::string subject;  // of what: "rope", "palindrome", "this machine"
  Outcome outcome;
  std::string figure;  // what was measured, and what it has to be
};

// Tries every promise on each of `encodings` (--pos) and `tasks` (--task) at the sizes, seed, engine and device of
// `config`, and calls `on_check` as each is tried. A causal-only encoding is tried under causal attention.
// An encoding that cannot be built at these sizes is skipped; a task is tried at the nearest length and vocabulary that
// it has. Throws Error (usage) as check_machine() does.
std::vector<Check> doctor(const RunConfig& config, const std::vector<std::string>& encodings,
                          const std::vector<std::string>& tasks, const std::function<void(const Check&)>& on_check);

}  // namespace posenc
