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

}  // namespace

MergeCounts merge(const std::vector<std::string>& sources, const std::string& target) {
  MergeCounts counts;
  std::vector<std::pair<RunRecord, std::string>> found;  // with the folder it is in
  std::map<std::string, std::string> results;            // by run id
  for (const std::string& source : sources) {
    check_source(source, target);
    for (const std::string& other : sources) {
      std::error_code error;
      if (&other != &source && fs::equivalent(source, other, error))
        throw Error(fmt::format("a folder stands twice (given '{}')", source));
    }
    StoredRuns stored = read_runs(source + "/runs.jsonl");
    counts.damage.insert(counts.damage.end(), stored.damage.begin(), stored.damage.end());
    std::map<std::string, RunRecord> latest;  // of two lines with one id the later counts
    std::vector<std::string> order;
    for (RunRecord& record : stored.records) {
      if (!latest.contains(record.run_id)) order.push_back(record.run_id);
      latest.insert_or_assign(record.run_id, std::move(record));
    }
    for (const std::string& id : order) found.emplace_back(latest.at(id), source);
  }
  counts.damaged = counts.damage.size();

  const auto conflict = [&](const RunRecord& record, const std::string& where) {
    const auto [known, fresh] = results.emplace(record.run_id, result_text(record));
    if (!fresh && known->second != result_text(record))
      throw Error(fmt::format("run {} has two different results (the second in {})", record.run_id, where));
    return !fresh;
  };
  Store store(target);
  for (const auto& [record, source] : found)
    if (const RunRecord* there = store.find(record.run_id)) conflict(*there, target);
  std::vector<std::pair<RunRecord, std::string>> fresh;
  for (const auto& [record, source] : found)
    if (!conflict(record, source)) fresh.emplace_back(record, source);

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
