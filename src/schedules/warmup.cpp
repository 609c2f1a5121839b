// warmup:steps=N: lr min(1, (s + 1) / N), s the step from 0
#include "posenc/catalog.h"
#include "schedules/rising.h"

namespace posenc::schedules {

ScheduleEntry warmup() {
  ScheduleEntry entry;
  entry.name = "warmup";
  entry.formula = "lr min(1, (s+1)/steps)";
  entry.source = "Goyal et al. 2017, arXiv 1706.02677, section 2.2";
  entry.parameters = {{"steps", ValueType::integer(1), std::int64_t{100}, "steps that rise to lr"}};
  entry.factor = [](std::int64_t step, std::int64_t, const Parameters& parameters) {
    return rising(step, parameters.integer("steps"));
  };
  return entry;
}

}  // namespace posenc::schedules
