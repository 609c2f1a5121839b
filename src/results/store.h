// A folder of results, for one run or a thousand.
//
//   manifest.json   who ran what, when, with which versions: one entry an invocation
//   runs.jsonl      the only truth: one line for each finished or failed run (record.h); only ever appended to
//   models/ID.pt    the trained weights of each finished run
//   runs.csv, epochs.csv   exports, rewritten from runs.jsonl
//   lock            held by the one process that may write (folder_lock.h)
//
// A process that dies at any moment leaves a folder that opens: at worst its last line is damaged, which is said, and
// the run is done again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "results/folder_lock.h"
#include "results/stored_runs.h"

namespace posenc {

class Store {
 public:
  // Opens `folder` for writing, making it where it does not exist or is empty. Damaged lines of runs.jsonl are moved to
  // runs.jsonl.damaged; all other lines stay as they are. Throws Error (usage) before it changes anything: the folder
  // cannot be written, is held by another process (named), is something else than a folder of results, or has a line or
  // a manifest of another release.
  Store(const std::string& folder, const Catalog& catalog);

  // One sentence for each damaged line that opening found.
  const std::vector<std::string>& damage() const { return damage_; }

  // FolderLock::note().
  const std::string& lock_note() const { return lock_->note(); }

  // The stored record of a run, or nullptr; valid until the next append(). Of two lines with one id the later counts.
  const RunRecord* find(const std::string& run_id) const { return records_.find(run_id); }

  // Appends and syncs: when this returns, the run has been kept. Throws Error (failure).
  void append(const RunRecord& record);

  // Where the model of a run is saved.
  std::string model_path(const std::string& run_id) const { return posenc::model_path(folder_, run_id); }

  // Those of `run_ids` whose run has finished and whose model is not there.
  std::vector<std::string> without_model(const std::vector<std::string>& run_ids) const;

  // Adds an invocation to manifest.json, or replaces the one that this object added before.
  void write_manifest(const nlohmann::ordered_json& invocation);

  // Whether the last sweep of this folder had another definition than `definition` (Plan::definition).
  bool defined_otherwise(const std::string& definition) const;

  // Writes runs.csv and epochs.csv: first the runs of `plan` in its order, then all others in that of runs.jsonl.
  void write_exports(const std::vector<std::string>& plan) const;

 private:
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void create_or_check();
  void open_runs();
  void move_damaged(const StoredRuns& stored);

  std::string folder_;
  std::optional<FolderLock> lock_;
  Descriptor runs_;
  std::vector<std::string> damage_;
  RunRecords records_;
  bool invocation_added_ = false;
};

}  // namespace posenc
