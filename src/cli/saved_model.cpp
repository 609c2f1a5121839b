#include "cli/saved_model.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "config/fields.h"
#include "posenc/catalog.h"
#include "posenc/error.h"
#include "results/stored_runs.h"

namespace posenc {

namespace fs = std::filesystem;

std::string model_argument(const ParsedOptions& options) {
  if (!options.positional.empty()) return options.positional.front();
  throw Error("no model is named (allowed: the path of a .pt file, as DIR/models/RUN_ID.pt)");
}

namespace {

// What the folder of results says of the model, if the file lies in one. Throws Error where the folder has damaged lines
// and the model's may be one of them: it would be opened as the model of another configuration.
std::optional<RunRecord> record_of(const fs::path& given) {
  std::error_code error;
  const fs::path path = fs::absolute(given, error);
  const fs::path models = path.parent_path(), folder = models.parent_path();
  if (models.filename() != "models" || !fs::exists(folder / "manifest.json", error)) return std::nullopt;
  const StoredRuns stored = read_runs(
      given.parent_path().empty() ? ".." : (given.parent_path() / "..").lexically_normal().string(), catalog());
  if (const RunRecord* record = stored.records.find(path.stem().string())) return *record;
  if (!stored.damaged.empty())
    throw Error(fmt::format("no whole line says how the model was trained (given '{}'; {})", given.string(),
                            stored.damaged.front().what));
  return std::nullopt;
}

Settings settings_in(const RunRecord& record, const std::string& where) {
  Settings kept;
  for (const Field& field : fields()) {
    // The machine's own settings are not the model's: a model trained on CUDA opens on a CPU.
    if (!field.identity || field.group == kMachineGroup || is_displaced(field, record.config)) continue;
    // What only followed another option goes on following it, but for what gives the weights their shape.
    const bool shapes_weights = field.group == kModelGroup || field.name == "vocab";
    if (!shapes_weights && field.derive && field.get(record.config) == field.default_value(record.config, catalog()))
      continue;
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
