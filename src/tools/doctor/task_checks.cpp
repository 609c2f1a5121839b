#include <fmt/format.h>

#include <cmath>

#include "posenc/task.h"
#include "tools/doctor/checks.h"
#include "training/dataset.h"
#include "training/random_streams.h"

namespace posenc {

std::vector<Check> task_checks(const RunConfig& config, const TaskEntry& entry, const Parameters& parameters) {
  constexpr int64_t kCount = 10000;
  constexpr double kAllowed = 5;
  RandomStreams streams(config, torch::kCPU);
  const std::unique_ptr<Task> task = entry.make(parameters);
  const Dataset data = draw_dataset(*task, kCount, config.seq_len, config.vocab, streams[Stream::data]);
  int64_t wrong = 0;
  for (int64_t i = 0; i < kCount; ++i) {
    const int64_t* tokens = data.tokens.const_data_ptr<int64_t>() + i * data.length();
    const std::vector<std::int64_t> sequence(tokens, tokens + data.length());
    wrong += entry.definition(parameters, sequence) != data.labels.const_data_ptr<int64_t>()[i];
  }
  const std::vector<double> rates = task->class_rates(config.seq_len, config.vocab);
  const std::vector<int64_t> counts = data.class_counts(task->classes());
  double greatest = 0;
  for (std::size_t c = 0; c < rates.size(); ++c) {
    const double off = std::abs(static_cast<double>(counts[c]) / kCount - rates[c]);
    const double error = std::sqrt(rates[c] * (1 - rates[c]) / kCount);
    if (off > 0) greatest = std::max(greatest, error > 0 ? off / error : kAllowed * 2);
  }
  return {measured("labels", config.task, wrong == 0,
                   fmt::format("{} of {} drawn sequences differ from the slow definition (must be 0)", wrong, kCount)),
          measured("classes", config.task, greatest <= kAllowed,
                   fmt::format("shares of {} classes are {:.1f} standard errors from their exact rates at most (must "
                               "be {:.0f} or less)",
                               rates.size(), greatest, kAllowed))};
}

}  // namespace posenc
