// posenc sample: sequences of a task with their labels, as a run with the same options trains on.

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "config/resolve.h"
#include "posenc/sample.h"

namespace posenc {

int sample_command(const ParsedOptions& options, Console& console) {
  const auto& extras = options.extras;
  const std::string text = extras.contains("n") ? extras.at("n") : "10";
  const std::int64_t count = std::get<std::int64_t>(parse_value(ValueType::integer(1), text, "--n"));
  const RunConfig config = resolve(gather(options.settings), catalog()).config;
  const int width = static_cast<int>(fmt::to_string(config.vocab - 1).size());
  for (const LabelledSequence& sequence : sample(config, count)) {
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
