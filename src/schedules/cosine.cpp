// cosine:warmup=N,final=X, of the step s from 0 of S steps:
//   (s + 1) / N                                              for s < N, as LinearLR
//   X + (1 - X) (1 + cos(pi (s - p) / (S - 1 - p))) / 2      from s = p on, p = max(N - 1, 0): 1 at step p, X at the last
//                                                            step, as CosineAnnealingLR; X after it
// scripts/golden/optimizers.py has the same from torch.optim.lr_scheduler.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/catalog.h"
#include "schedules/rising.h"

namespace posenc::schedules {
namespace {

double cosine_factor(std::int64_t step, std::int64_t steps, const Parameters& parameters) {
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

}  // namespace

ScheduleEntry cosine() {
  ScheduleEntry entry;
  entry.name = "cosine";
  entry.formula = "lr (s+1)/warmup for warmup steps, then half a cosine to lr final at the last";
  entry.source = "Loshchilov and Hutter 2017, arXiv 1608.03983, without restarts";
  entry.parameters = {{"warmup", ValueType::integer(0), std::int64_t{0}, "steps that rise to lr"},
                      {"final", ValueType::real("[0, 1]"), 0.0, "of lr, at the last step"}};
  entry.factor = cosine_factor;
  entry.misfit = too_short_for_cosine;
  return entry;
}

}  // namespace posenc::schedules
