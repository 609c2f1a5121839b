// --schedule read in full: a schedule and its parameters.
#pragma once

#include <string_view>

#include "config/choice.h"
#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

struct ScheduleChoice {
  const ScheduleEntry* entry;  // of the catalog that it was read with
  Parameters parameters;

  double factor(std::int64_t step, std::int64_t steps) const { return entry->factor(step, steps, parameters); }
};

// Reads NAME[:key=value,...]; `what` names the option. Throws Error: not of the grammar, an unknown name, key or value.
ScheduleChoice read_schedule_choice(std::string_view text, const Catalog& catalog, std::string_view what);

// Throws Error when a run of `config` is too short for the schedule. `what` names the option.
void check_schedule(const ScheduleChoice& choice, const RunConfig& config, std::string_view what);

}  // namespace posenc
