#include "cli/saved_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "config/fields.h"
#include "posenc/error.h"
#include "sweep/store.h"

namespace posenc {

std::string model_argument(const ParsedOptions& options) {
  if (!options.positional.empty()) return options.positional.front();
  throw Error("no model is named (allowed: the path of a .pt file, as DIR/models/RUN_ID.pt)");
}

Settings settings_for_model(const std::string& model, const Settings& flags) {
  namespace fs = std::filesystem;
  Settings settings = gather(flags), kept;
  const fs::path path(model);
  const fs::path folder = path.parent_path() / "..";
  std::error_code error;
  if (path.parent_path().filename() != "models" || !fs::exists(folder / "manifest.json", error)) return settings;
  const std::string runs = (folder / "runs.jsonl").lexically_normal().string();
  for (const RunRecord& record : read_runs(runs).records) {
    if (record.run_id != path.stem()) continue;
    for (const Field& field : fields()) {
      // The machine's own settings are not the model's: a model trained on CUDA opens on a CPU.
      if (!field.identity || field.group == kMachineGroup || is_displaced(field, record.config)) continue;
      // A seed that only followed --seed goes on following it.
      if (field.group == kTrainingGroup && field.derive && field.get(record.config) == field.fallback(record.config))
        continue;
      kept[field.name] = {to_text(field.get(record.config)), {Origin::Source::file, runs}};
    }
  }
  merge_below(settings, kept);
  return settings;
}

}  // namespace posenc
