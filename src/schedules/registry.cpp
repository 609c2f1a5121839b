#include "schedules/registry.h"

namespace posenc {

namespace schedules {
#define POSENC_SCHEDULE(name) ScheduleEntry name();
#include "schedules/schedules.def"
#undef POSENC_SCHEDULE
}  // namespace schedules

std::vector<ScheduleEntry> all_schedules() {
  return {
#define POSENC_SCHEDULE(name) schedules::name(),
#include "schedules/schedules.def"
#undef POSENC_SCHEDULE
  };
}

}  // namespace posenc
