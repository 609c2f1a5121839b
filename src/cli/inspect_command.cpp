// posenc inspect: an encoding's table, angles, bias and buckets, as numbers or as a figure.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "cli/command.h"
#include "cli/saved_model.h"
#include "config/resolve.h"
#include "plot/grid_text.h"
#include "plot/heat_map.h"
#include "posenc/error.h"
#include "posenc/inspect.h"

namespace posenc {
namespace {

nlohmann::ordered_json to_json(const RunConfig& config, const Inspection& seen, std::int64_t layer) {
  nlohmann::ordered_json object{{"pos", config.pos},
                                {"layer", layer},
                                {"positions", seen.positions},
                                {"trained_numbers", seen.parameters},
                                {"score_factor", seen.score_factor}};
  if (!seen.tokens.empty()) object["tokens"] = seen.tokens;
  for (const Grid& grid : seen.grids) object[grid.name] = grid_json(grid);
  return object;
}

// What a reader of the numbers must know of them.
std::vector<std::string> notes(const RunConfig& config, const Inspection& seen, std::int64_t layer, bool saved) {
  std::vector<std::string> all;
  if (seen.parameters > 0)
    all.push_back(fmt::format("{} trained numbers, {}", seen.parameters,
                              saved ? "as saved" : fmt::format("as --seed {} starts them", config.seed)));
  if (seen.positions.back() != static_cast<std::int64_t>(seen.positions.size()) - 1)
    all.push_back(fmt::format("positions {}", fmt::join(seen.positions, ",")));
  if (seen.score_factor != 1)
    all.push_back(fmt::format("scores q.k / sqrt(d_h) are multiplied by {}", seen.score_factor));
  if (!seen.tokens.empty())
    all.push_back(
        fmt::format("the bias depends on the tokens: this is layer {} for {}", layer, fmt::join(seen.tokens, ",")));
  if (seen.grids.empty()) all.push_back("there is nothing to show: it has no table, angles, bias or buckets");
  return all;
}

}  // namespace

int inspect_command(const ParsedOptions& options, Console& console) {
  const auto extra = [&](const std::string& name) -> std::string {
    const auto given = options.extras.find(name);
    return given == options.extras.end() ? "" : given->second;
  };
  const std::string save = extra("save"), model = extra("model");
  std::string kind = std::filesystem::path(save).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  if (options.extras.contains("save") && kind != ".csv" && kind != ".svg")
    throw Error(fmt::format("--save writes another kind of file (given '{}', allowed: FILE.csv, FILE.svg)", save));
  std::int64_t layer = 0;
  if (options.extras.contains("layer"))
    layer = std::get<std::int64_t>(parse_value(ValueType::integer(0), extra("layer"), "--layer"));
  const RunConfig config = options.extras.contains("model") ? saved_model(model, options.settings).config
                                                            : resolve(gather(options.settings), catalog()).config;
  const Inspection seen = inspect(config, model, layer);

  if (!save.empty() && seen.grids.empty())
    throw Error(
        fmt::format("--save has nothing to save (given {}, which has no table, angles, bias or buckets)", config.pos));
  const std::vector<std::string> all_notes = notes(config, seen, layer, !model.empty());
  if (!save.empty()) {
    const std::string title = fmt::format("{}{}", config.pos, config.causal ? ", causal" : "");
    replace_file(
        save, kind == ".csv" ? grids_csv(seen.grids, seen.positions) : heat_map_svg(seen.grids, seen.positions, title));
  }
  if (config.json) {
    console.print("{}", to_json(config, seen, layer).dump());
    return 0;
  }
  for (const std::string& note : all_notes) console.say("{}: {}", config.pos, note);
  if (!save.empty()) return 0;
  std::string text;
  for (const Grid& grid : seen.grids) text += (text.empty() ? "" : "\n") + grid_text(grid);
  if (!text.empty()) {
    text.pop_back();
    console.print("{}", text);
  }
  return 0;
}

}  // namespace posenc
