// posenc sample: sequences of a task with their labels, as a run with the same options trains on.

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "config/resolve.h"
#include "posenc/sample.h"

namespace posenc {

const std::vector<ExtraOption>& sample_options() {
  static const std::vector<ExtraOption> options = {
      {"n", "N", "how many; default 10, or all of --step", ValueType::integer(1)},
      {"step", "N", "those of step N, from 0, where data are online", ValueType::integer(0)},
  };
  return options;
}

int sample_command(const ParsedOptions& options, Console& console) {
  const auto count = read_extra<std::int64_t>(sample_options(), options, "n");
  const auto step = read_extra<std::int64_t>(sample_options(), options, "step");
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  constexpr std::int64_t kDefault = 10;
  std::vector<LabelledSequence> sequences =
      step ? sample_batch(config, *step) : sample(config, count.value_or(kDefault));
  if (count && static_cast<std::int64_t>(sequences.size()) > *count) sequences.resize(static_cast<std::size_t>(*count));
  const int width = static_cast<int>(fmt::to_string(config.vocab - 1).size());
  for (const LabelledSequence& sequence : sequences) {
    if (config.json) {
      console.print("{}", nlohmann::ordered_json{{"tokens", sequence.tokens}, {"label", sequence.label}}.dump());
      continue;
    }
    std::string line;
    for (const std::int64_t token : sequence.tokens) line += fmt::format("{:>{}} ", token, width);
    console.print("{}-> {}", line, sequence.label);
  }
  return 0;
}

}  // namespace posenc
