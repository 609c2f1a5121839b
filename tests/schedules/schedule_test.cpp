// Learning rates against torch.optim.lr_scheduler (scripts/golden/optimizers.py, tests/golden/optimizers.json).
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "config/lengths.h"
#include "config/schedule_choice.h"
#include "support/catch.h"
#include "support/command_line.h"

using namespace posenc;
using nlohmann::json;

namespace {

std::string canonical(const std::string& text) {
  const ScheduleChoice schedule = read_schedule_choice(text, catalog(), "--schedule");
  return canonical_choice(*schedule.entry, schedule.parameters);
}

}  // namespace

TEST_CASE("every schedule is that of torch's schedulers at each step", "[schedules]") {
  const json golden = json::parse(std::ifstream(std::string(POSENC_SOURCE_DIR) + "/tests/golden/optimizers.json"));
  std::set<std::string> met;
  for (const auto& [name, factors] : golden["schedules"].items()) {
    INFO(name);
    const ScheduleChoice schedule = read_schedule_choice(name, catalog(), "--schedule");
    const auto steps = static_cast<std::int64_t>(factors.size());
    for (std::int64_t step = 0; step < steps; ++step) {
      INFO("step " << step);
      CHECK(schedule.factor(step, steps) ==
            Approx(factors[static_cast<std::size_t>(step)].get<double>()).margin(1e-12));
    }
    met.insert(schedule.entry->name);
  }
  for (const ScheduleEntry& entry : catalog().schedules) CHECK(met.contains(entry.name));
}

TEST_CASE("a cosine ends at its final rate, and warm-up alone where that takes all steps", "[schedules]") {
  const ScheduleChoice cosine = read_schedule_choice("cosine:warmup=4,final=0.25", catalog(), "--schedule");
  CHECK(cosine.factor(0, 40) == 0.25);
  CHECK(cosine.factor(3, 40) == 1);
  CHECK(cosine.factor(39, 40) == 0.25);
  CHECK(cosine.factor(1000, 40) == 0.25);
  CHECK(cosine.factor(3, 4) == 1);
  CHECK(read_schedule_choice("cosine", catalog(), "--schedule").factor(0, 1) == 1);
}

TEST_CASE("a run has a step for each batch of each epoch", "[schedules]") {
  RunConfig config;
  CHECK(steps_of(config) == 30 * 32);
  config.train_size = 65;
  CHECK(steps_of(config) == 30 * 2);
  config.batch_size = 2147483647;
  config.epochs = 2147483647;
  CHECK(steps_of(config) == 2147483647);
  config.epochs = 0;
  CHECK(steps_of(config) == 0);
}

TEST_CASE("there is one way to write a schedule", "[schedules]") {
  CHECK(canonical("cosine:warmup=0,final=0.0") == "cosine");
  CHECK(canonical("cosine:warmup=5,final=0.10") == "cosine:final=0.1,warmup=5");
  CHECK(canonical("warmup:steps=100") == "warmup");
}

TEST_CASE("a schedule that cannot be is one line and exit 2", "[schedules]") {
  refused("--schedule cosin",
          "--schedule: unknown schedule (given 'cosin', known: constant, cosine, warmup, nearest: cosine)");
  refused("--schedule cosine:warm=3", "--schedule: unknown parameter of cosine (given 'warm', known: warmup, final");
  refused("--schedule constant:steps=3", "--schedule: unknown parameter of constant (given 'steps', known: none)");
  refused("--schedule cosine:final=2",
          "--schedule: cosine:final is out of range (given '2', allowed: number in [0, 1])");
  refused("--schedule warmup:steps=0", "--schedule: warmup:steps is out of range");
  refused("--epochs 2 --train-size 100 --schedule cosine:warmup=5",
          "--schedule: cosine needs a warm-up within the run's 4 steps (given warmup=5, allowed: 0..4)");
}
