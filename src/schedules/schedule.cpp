#include "schedules/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/choice.h"
#include "config/lengths.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// 1/N, 2/N, ... 1 in the first N steps, and then 1.
double rising(std::int64_t step, std::int64_t over) {
  return step + 1 >= over ? 1 : static_cast<double>(step + 1) / static_cast<double>(over);
}

double cosine(std::int64_t step, std::int64_t steps, const Parameters& parameters) {
  const std::int64_t warmup = parameters.integer("warmup"), peak = std::max<std::int64_t>(warmup - 1, 0);
  if (step <= peak) return rising(step, warmup);
  const double last = parameters.real("final");
  if (step >= steps - 1) return last;
  const double share = static_cast<double>(step - peak) / static_cast<double>(steps - 1 - peak);
  return last + (1 - last) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

std::string too_short_for_cosine(std::int64_t steps, const Parameters& parameters) {
  const std::int64_t warmup = parameters.integer("warmup");
  if (warmup <= steps) return "";
  return fmt::format("needs a warm-up within the run's {} steps (given warmup={}, allowed: 0..{})", steps, warmup,
                     steps);
}

std::vector<ScheduleEntry> make_schedules() {
  const auto described = [](const char* name, const char* formula, const char* source,
                            std::vector<ParameterSpec> parameters) {
    return CatalogEntry{name, formula, source, std::move(parameters)};
  };
  return {
      {described("constant", "lr", "the published protocol", {}),
       [](std::int64_t, std::int64_t, const Parameters&) { return 1.0; }},
      {described("cosine", "lr (s+1)/warmup for warmup steps, then half a cosine to lr final at the last",
                 "Loshchilov and Hutter 2017, arXiv 1608.03983, without restarts",
                 {{"warmup", ValueType::integer(0), std::int64_t{0}, "steps that rise to lr"},
                  {"final", ValueType::real("[0, 1]"), 0.0, "of lr, at the last step"}}),
       cosine, too_short_for_cosine},
      {described("warmup", "lr min(1, (s+1)/steps)", "Goyal et al. 2017, arXiv 1706.02677, section 2.2",
                 {{"steps", ValueType::integer(1), std::int64_t{100}, "steps that rise to lr"}}),
       [](std::int64_t step, std::int64_t, const Parameters& parameters) {
         return rising(step, parameters.integer("steps"));
       }},
  };
}

}  // namespace

const std::vector<ScheduleEntry>& schedules() {
  static const std::vector<ScheduleEntry> table = make_schedules();
  return table;
}

Schedule read_schedule(std::string_view text, std::string_view what) {
  const ChoiceText pieces = split_choice(text, what);
  const ScheduleEntry& entry = find_entry(schedules(), pieces.name, what, "schedule");
  return {&entry, read_parameters(entry, pieces, what)};
}

std::string canonical_choice(const Schedule& schedule) {
  return canonical_choice(*schedule.entry, schedule.parameters);
}

void check_schedule(const RunConfig& config, std::string_view what) {
  const Schedule schedule = read_schedule(config.schedule, what);
  if (schedule.entry->misfit == nullptr) return;
  const std::string why = schedule.entry->misfit(steps_of(config), schedule.parameters);
  if (!why.empty()) throw Error(fmt::format("{}: {} {}", what, schedule.entry->name, why));
}

}  // namespace posenc
