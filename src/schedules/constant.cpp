// constant: lr
#include "posenc/catalog.h"

namespace posenc::schedules {

ScheduleEntry constant() {
  ScheduleEntry entry;
  entry.name = "constant";
  entry.formula = "lr";
  entry.source = "the published protocol";
  entry.factor = [](std::int64_t, std::int64_t, const Parameters&) { return 1.0; };
  return entry;
}

}  // namespace posenc::schedules
