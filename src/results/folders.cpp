#include "results/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "posenc/error.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;

bool has_runs(const fs::path& folder) {
  std::error_code error;
  const bool there = fs::exists(folder / "runs.jsonl", error);  // reading says where it is no file
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw Error(fmt::format("cannot read the folder (given '{}': {})", folder.string(), error.message()));
  return there;
}

// `folder`, or the folders of results directly in it.
std::vector<std::string> folders_in(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw Error(fmt::format("no such folder of results (given '{}')", folder));
  if (has_runs(folder)) return {folder};
  std::vector<std::string> inside;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error) && has_runs(entry.path())) inside.push_back(entry.path().string());
  std::sort(inside.begin(), inside.end());
  if (inside.empty())
    throw Error(
        fmt::format("not a folder of results: it has no runs.jsonl, nor has a folder in it (given '{}')", folder));
  return inside;
}

// The record as its line, without what may differ between two repeats, and without what a release says about a
// configuration whatever the run did: an earlier one put the lower end of guessing elsewhere.
std::string result_text(const RunRecord& record) {
  RunRecord bare = record;
  bare.execution = {};
  bare.result.bounds.reset();
  return to_line(bare);
}

}  // namespace

bool SettledRuns::add(const RunRecord& record, const std::string& where) {
  const RunRecord* kept = records_.find(record.run_id);
  const bool failed_there = kept != nullptr && kept->result.status == RunResult::Status::failed;
  const bool failed_here = record.result.status == RunResult::Status::failed;
  if (kept != nullptr && failed_here) return false;
  if (kept != nullptr && !failed_there && result_text(*kept) != result_text(record))
    throw Error(fmt::format("run {} has two different results (the second in {})", record.run_id, where));
  const bool taken = kept == nullptr || failed_there;
  if (taken) records_.put(record);
  return taken;
}

ReadFolders read_folders(const std::vector<std::string>& folders, const Catalog& catalog) {
  ReadFolders read;
  SettledRuns settled;
  for (const std::string& given : folders)
    for (const std::string& folder : folders_in(given)) {
      for (const std::string& other : read.folders) {
        std::error_code error;
        if (fs::equivalent(folder, other, error))
          throw Error(fmt::format("a folder stands twice (given '{}')", folder));
      }
      read.folders.push_back(folder);
      const StoredRuns stored = read_runs(folder, catalog);
      for (const DamagedLine& line : stored.damaged) read.damage.push_back(line.what);
      for (const RunRecord& record : stored.records.all()) settled.add(record, folder);
    }
  read.records = settled.take();
  if (read.records.empty() && read.damage.empty())
    throw Error(fmt::format("no run has been kept there yet (given '{}')", folders.front()));
  return read;
}

}  // namespace posenc
