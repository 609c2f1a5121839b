#include "sweep/merge.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "files/files.h"
#include "posenc/error.h"
#include "sweep/store.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;

// The record as its line, without what may differ between two repeats.
std::string result_text(const RunRecord& record) {
  RunRecord bare = record;
  bare.execution = {};
  return to_line(bare);
}

void check_source(const std::string& source, const std::string& target) {
  std::error_code error;
  if (!fs::exists(source + "/manifest.json", error) || !fs::exists(source + "/runs.jsonl", error))
    throw Error(fmt::format("not a folder of results (given '{}')", source));
  if (fs::equivalent(source, target, error))
    throw Error(fmt::format("a folder cannot be merged with itself (given '{}')", source));
}

// Adds `record`, or settles it with the one that is there: what finished or diverged beats what failed, of two failures
// the first stays, and two different results are an error. Returns whether the record is to be taken.
bool settle(std::map<std::string, RunRecord>& results, const RunRecord& record, const std::string& where) {
  const auto [there, fresh] = results.try_emplace(record.run_id, record);
  if (fresh) return true;
  const bool failed = record.result.status == RunResult::Status::failed;
  const bool failed_there = there->second.result.status == RunResult::Status::failed;
  if (failed) return false;
  if (!failed_there && result_text(there->second) != result_text(record))
    throw Error(fmt::format("run {} has two different results (the second in {})", record.run_id, where));
  if (failed_there) there->second = record;
  return failed_there;
}

// The records of a folder, of two lines with one id the later.
std::vector<RunRecord> latest_records(const StoredRuns& stored) {
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < stored.records.size(); ++i) last[stored.records[i].run_id] = i;
  std::vector<RunRecord> records;
  for (std::size_t i = 0; i < stored.records.size(); ++i)
    if (last[stored.records[i].run_id] == i) records.push_back(stored.records[i]);
  return records;
}

}  // namespace

MergeCounts merge(const std::vector<std::string>& sources, const std::string& target,
                  const nlohmann::ordered_json& invocation) {
  MergeCounts counts;
  std::vector<std::pair<RunRecord, std::string>> found;  // with the folder it is in
  for (const std::string& source : sources) {
    check_source(source, target);
    for (const std::string& other : sources) {
      std::error_code error;
      if (&other != &source && fs::equivalent(source, other, error))
        throw Error(fmt::format("a folder stands twice (given '{}')", source));
    }
    const StoredRuns stored = read_runs(source + "/runs.jsonl");
    counts.damage.insert(counts.damage.end(), stored.damage.begin(), stored.damage.end());
    for (RunRecord& record : latest_records(stored)) found.emplace_back(std::move(record), source);
  }

  // Conflicts are found before anything is written, or even a folder made.
  std::map<std::string, RunRecord> among_sources;
  for (const auto& [record, source] : found) settle(among_sources, record, source);
  Store store(target);
  std::map<std::string, RunRecord> results;
  for (const auto& [record, source] : found)
    if (const RunRecord* there = store.find(record.run_id)) results.insert_or_assign(record.run_id, *there);
  std::vector<std::pair<RunRecord, std::string>> fresh;
  for (const auto& [record, source] : found)
    if (settle(results, record, source)) fresh.emplace_back(record, source);

  store.write_manifest(invocation);
  for (const auto& [record, source] : fresh) {
    const std::string model = fmt::format("{}/models/{}.pt", source, record.run_id);
    if (fs::exists(model)) replace_file(store.model_path(record.run_id), read_whole_file(model));
    store.append(record);
    ++counts.copied;
  }
  counts.runs = results.size();
  store.write_exports({});
  return counts;
}

}  // namespace posenc
