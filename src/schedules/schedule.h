// The learning rate over a run, as a factor of --lr at each step: --schedule NAME[:key=value,...]. No torch.
// A new schedule is one entry of the table in schedule.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

// In these formulas s is the step from 0 and S the number of steps of the run.
//
//   constant                      1
//   cosine:warmup=N,final=X       (s + 1) / N                                    for s < N, as LinearLR
//                                 X + (1 - X) (1 + cos(pi (s - p) / (S - 1 - p))) / 2  from s = p on, p = max(N - 1,
//                                 0): 1 at step p, X at the last step, as CosineAnnealingLR; X after it
//   warmup:steps=N                min(1, (s + 1) / N), as LinearLR
//
// scripts/golden/optimizers.py has the same from torch.optim.lr_scheduler.
struct ScheduleEntry : CatalogEntry {
  double (*factor)(std::int64_t step, std::int64_t steps, const Parameters& parameters);
  // Why a run of `steps` steps cannot have it, as "needs ... (given ..., allowed: ...)", or ""; null: any can.
  std::string (*misfit)(std::int64_t steps, const Parameters& parameters) = nullptr;
};

const std::vector<ScheduleEntry>& schedules();

struct Schedule {
  const ScheduleEntry* entry;  // of schedules()
  Parameters parameters;

  double factor(std::int64_t step, std::int64_t steps) const { return entry->factor(step, steps, parameters); }
};

// `what` names the option. Throws Error: not of the grammar, an unknown name, key or value.
Schedule read_schedule(std::string_view text, std::string_view what);

// The one way to write it.
std::string canonical_choice(const Schedule& schedule);

// Throws Error when a run of `config` is too short for its schedule. `what` names the option.
void check_schedule(const RunConfig& config, std::string_view what);

}  // namespace posenc
