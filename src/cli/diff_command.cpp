// posenc diff DIR1 DIR2: which runs have other results in the second than in the first.
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "cli/command.h"
#include "config/identity.h"
#include "posenc/error.h"
#include "results/difference.h"
#include "results/folders.h"

namespace posenc {
namespace {

// The options of a run that differ from their defaults.
std::string config_text(const RunConfig& config) {
  std::string text;
  for (const Field& field : fields())
    if (field.identity && field.identity_value(config) != field.default_value(config, catalog()))
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", field.name, to_text(field.identity_value(config)));
  return text.empty() ? "all defaults" : text;
}

}  // namespace

const std::vector<ExtraOption>& diff_options() {
  static const std::vector<ExtraOption> options = {{"tolerance", "X",
                                                    "how far a loss or an accuracy may be from the other; default 0",
                                                    ValueType::real("[0, inf)")}};
  return options;
}

int diff_command(const ParsedOptions& options, Console& console) {
  if (options.positional.size() != 2)
    throw Error(fmt::format("two folders are compared (given {}, allowed: DIR1 DIR2)", options.positional.size()));
  const double tolerance = read_extra<double>(diff_options(), options, "tolerance").value_or(0);
  const bool json = options.settings.contains("json");
  const ReadFolders first = read_folders({options.positional[0]}, catalog()),
                    second = read_folders({options.positional[1]}, catalog());
  for (const auto& damage : {first.damage, second.damage})
    for (const std::string& line : damage) console.say("posenc: error: damaged: {}", one_line(line));
  console.keep_going();  // the exit code is a result
  const Comparison comparison = compare_results(first.records, second.records, tolerance);
  for (const Difference& difference : comparison.differences) {
    if (json) {
      nlohmann::ordered_json line{{"run_id", difference.run_id}, {"what", difference.what}};
      for (const auto& [name, value] : identity(difference.config)) line["config"][name] = json_value(value);
      console.print("{}", json_line(line));
    } else {
      console.print("{} ({}): {}", difference.run_id, config_text(difference.config), difference.what);
    }
  }
  const std::string summary =
      fmt::format("{} of {} common runs differ by more than {}; {} only in the first, {} only in the second",
                  comparison.changed, comparison.common, tolerance, comparison.only_first, comparison.only_second);
  if (json) {
    console.say("{}", summary);
  } else {
    console.print("{}", summary);
  }
  return comparison.differences.empty() && first.damage.empty() && second.damage.empty() ? 0 : 1;
}

}  // namespace posenc
