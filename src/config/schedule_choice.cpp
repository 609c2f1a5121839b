#include "config/schedule_choice.h"

#include <fmt/format.h>

#include "config/lengths.h"
#include "posenc/error.h"

namespace posenc {

ScheduleChoice read_schedule_choice(std::string_view text, const Catalog& catalog, std::string_view what) {
  const ChoiceText choice = split_choice(text, what);
  const ScheduleEntry& entry = find_entry(catalog.schedules, choice.name, what, "schedule");
  return {&entry, read_parameters(entry, choice, what)};
}

void check_schedule(const ScheduleChoice& choice, const RunConfig& config, std::string_view what) {
  if (choice.entry->misfit == nullptr) return;
  const std::string why = choice.entry->misfit(steps_of(config), choice.parameters);
  if (!why.empty()) throw Error(fmt::format("{}: {} {}", what, choice.entry->name, why));
}

}  // namespace posenc
