#include "posenc/doctor.h"

#include <fmt/format.h>

#include "config/encoding_choice.h"
#include "config/resolve.h"
#include "config/task_choice.h"
#include "posenc/error.h"
#include "posenc/run.h"
#include "tools/doctor/checks.h"
#include "training/machine.h"

namespace posenc {

Check measured(std::string name, std::string subject, bool good, std::string figure) {
  return {std::move(name), std::move(subject), good ? Check::Outcome::passed : Check::Outcome::failed,
          std::move(figure)};
}

namespace {

constexpr std::int64_t kLeastWidth = 4;

// The nearest length and vocabulary that the task has sequences of.
void fit(RunConfig& config, const TaskChoice& choice) {
  config.seq_len = std::max(config.seq_len, choice.least_length());
  if (choice.entry->odd_length && config.seq_len % 2 == 0) ++config.seq_len;
  config.vocab = choice.entry->vocab != 0 ? choice.entry->vocab : std::max(config.vocab, choice.least_vocab());
}

std::string another_than(const EncodingEntry& entry) {
  for (const EncodingEntry& other : catalog().encodings)
    if (other.name != entry.name && !other.causal_only) return other.name;
  return entry.name;
}

}  // namespace

std::vector<Check> doctor(const RunConfig& config, const std::vector<std::string>& encodings,
                          const std::vector<std::string>& tasks, const std::function<void(const Check&)>& on_check) {
  use_threads(config.threads);
  check_machine(config);
  std::vector<Check> all;
  const auto keep = [&](const std::vector<Check>& checks) {
    for (const Check& check : checks) {
      on_check(check);
      all.push_back(check);
    }
  };
  keep(machine_checks(config));
  for (const std::string& pos : encodings) {
    const EncodingChoice choice = read_encoding_choice(pos, catalog(), "--pos");
    RunConfig with = config;
    with.pos = pos;
    with.causal = config.causal || choice.entry->causal_only;
    try {
      check(with, catalog());
    } catch (const Error& error) {
      keep({{"sizes", pos, Check::Outcome::skipped, error.what()}});
      continue;
    }
    if (with.d_model < kLeastWidth) {
      keep({{"sizes", pos, Check::Outcome::skipped, "a norm over fewer than 4 numbers hides what is to be seen"}});
      continue;
    }
    keep(order_checks(with, *choice.entry, symmetry_of(choice)));
    keep(training_checks(with, another_than(*choice.entry)));
  }
  for (const std::string& name : tasks) {
    const TaskChoice choice = read_task_choice(name, catalog(), "--task");
    RunConfig with = config;
    with.task = name;
    fit(with, choice);
    std::vector<Check> checks = task_checks(with, *choice.entry, choice.parameters);
    if (with.seq_len != config.seq_len)
      for (Check& check : checks) check.figure += fmt::format("; at length {}", with.seq_len);
    keep(checks);
  }
  return all;
}

}  // namespace posenc
