// posenc attention MODEL.pt --tokens ...: where a saved model looks, as numbers or as a figure.
#include <filesystem>
#include <numeric>

#include "base/files.h"
#include "cli/command.h"
#include "cli/saved_model.h"
#include "cli/tokens.h"
#include "config/resolve.h"
#include "plot/grid_text.h"
#include "plot/heat_map.h"
#include "posenc/attention.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// How much of all attention each place gets, the mean over heads and queries: "0 (token 3) 0.41, ...".
std::string received_line(const Grid& grid, const std::vector<std::string>& tokens) {
  const auto length = tokens.size(), rows = grid.values.size() / length;
  std::string line;
  for (std::size_t key = 0; key < length; ++key) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += grid.values[row * length + key];
    line +=
        fmt::format("{}{} (token {}) {:.2f}", key == 0 ? "" : ", ", key, tokens[key], sum / static_cast<double>(rows));
  }
  return fmt::format("{}: share of all that each place gets: {}", grid.name, line);
}

}  // namespace

int attention_command(const ParsedOptions& options, Console& console) {
  const auto& extras = options.extras;
  const std::string model = model_argument(options);
  if (!extras.contains("tokens")) throw Error("--tokens is missing (allowed: the sequence, as 3,1,4,1)");
  const std::string save = extras.contains("save") ? extras.at("save") : "";
  const std::string ending = std::filesystem::path(save).extension().string();
  if (extras.contains("save") && ending != ".svg" && ending != ".csv")
    throw Error(fmt::format("--save writes another kind of file (given '{}', allowed: FILE.csv, FILE.svg)", save));
  const SavedModel saved = saved_model(model, options.settings);
  const RunConfig& config = saved.config;
  const std::vector<std::int64_t> tokens = parse_tokens(extras.at("tokens"), config, "--tokens");
  const std::vector<Grid> grids = attention(config, model, saved.trained(), tokens);
  std::vector<std::string> names;
  if (config.bos) names.emplace_back("bos");
  for (const std::int64_t token : tokens) names.push_back(fmt::to_string(token));
  std::vector<std::int64_t> places(names.size());
  std::iota(places.begin(), places.end(), 0);
  if (!save.empty())
    replace_file(save, ending == ".csv"
                           ? grids_csv(grids, places)
                           : heat_map_svg(grids, places,
                                          fmt::format("{}: attention to {}", config.pos, extras.at("tokens")), names));
  if (config.json) {
    nlohmann::ordered_json object{{"pos", config.pos}, {"tokens", tokens}};
    for (const Grid& grid : grids) object["layers"].push_back(grid_json(grid));
    console.print("{}", object.dump());
    return 0;
  }
  for (const Grid& grid : grids) console.say("{}", received_line(grid, names));
  if (!save.empty()) return 0;
  std::string text;
  for (const Grid& grid : grids) text += (text.empty() ? "" : "\n") + grid_text(grid, names);
  text.pop_back();
  console.print("{}", text);
  return 0;
}

}  // namespace posenc
