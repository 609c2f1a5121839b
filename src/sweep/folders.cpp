#include "sweep/folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "posenc/error.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;

bool has_runs(const fs::path& folder) {
  std::error_code error;
  const bool there = fs::is_regular_file(folder / "runs.jsonl", error);
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

// The record as its line, without what may differ between two repeats.
std::string result_text(const RunRecord& record) {
  RunRecord bare = record;
  bare.execution = {};
  return to_line(bare);
}

}  // namespace

bool SettledRuns::add(const RunRecord& record, const std::string& where) {
  const auto [there, fresh] = places_.try_emplace(record.run_id, records_.size());
  if (fresh) {
    records_.push_back(record);
    return true;
  }
  RunRecord& kept = records_[there->second];
  if (record.result.status == RunResult::Status::failed) return false;
  const bool failed_there = kept.result.status == RunResult::Status::failed;
  if (!failed_there && result_text(kept) != result_text(record))
    throw Error(fmt::format("run {} has two different results (the second in {})", record.run_id, where));
  if (failed_there) kept = record;
  return failed_there;
}

std::vector<RunRecord> latest_records(StoredRuns stored) {
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < stored.records.size(); ++i) last[stored.records[i].run_id] = i;
  std::vector<RunRecord> records;
  for (std::size_t i = 0; i < stored.records.size(); ++i)
    if (last[stored.records[i].run_id] == i) records.push_back(std::move(stored.records[i]));
  return records;
}

ReadFolders read_folders(const std::vector<std::string>& folders) {
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
      StoredRuns stored = read_runs(folder + "/runs.jsonl");
      read.damage.insert(read.damage.end(), stored.damage.begin(), stored.damage.end());
      for (const RunRecord& record : latest_records(std::move(stored))) settled.add(record, folder);
    }
  read.records = settled.take();
  if (read.records.empty() && read.damage.empty())
    throw Error(fmt::format("no run has been kept there yet (given '{}')", folders.front()));
  return read;
}

}  // namespace posenc
