#include "cli/saved_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "config/fields.h"
#include "posenc/catalog.h"
#include "posenc/error.h"
#include "sweep/store.h"

namespace posenc {

std::string model_argument(const ParsedOptions& options) {
  if (!options.positional.empty()) return options.positional.front();
  throw Error("no model is named (allowed: the path of a .pt file, as DIR/models/RUN_ID.pt)");
}

namespace {

// What the folder of results says of the model, if the file lies in one.
std::optional<RunRecord> record_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path() / "..";
  std::error_code error;
  if (path.parent_path().filename() != "models" || !std::filesystem::exists(folder / "manifest.json", error))
    return std::nullopt;
  for (RunRecord& record : read_runs((folder / "runs.jsonl").lexically_normal().string()).records)
    if (record.run_id == path.stem()) return std::move(record);
  return std::nullopt;
}

Settings settings_in(const RunRecord& record, const std::string& where) {
  Settings kept;
  for (const Field& field : fields()) {
    // The machine's own settings are not the model's: a model trained on CUDA opens on a CPU.
    if (!field.identity || field.group == kMachineGroup || is_displaced(field, record.config)) continue;
    // What only followed another option goes on following it, but for what gives the weights their shape.
    const bool shapes_weights = field.group == kModelGroup || field.name == "vocab";
    if (!shapes_weights && field.derive && field.get(record.config) == field.fallback(record.config)) continue;
    kept[field.name] = {to_text(field.get(record.config)), {Origin::Source::file, where}};
  }
  return kept;
}

}  // namespace

SavedModel saved_model(const std::string& path, const Settings& flags, bool tested) {
  Settings settings = gather(flags);
  const auto record = record_of(path);
  if (record) merge_below(settings, settings_in(*record, "runs.jsonl"));
  if (!tested) settings.erase("eval-len");
  const RunConfig config = resolve(settings, catalog()).config;
  if (!record) return {config, {}, config.data_seed};
  return {config, record->result.steps_at, record->config.data_seed};
}

}  // namespace posenc
