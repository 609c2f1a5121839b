#include "results/merge.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "posenc/error.h"
#include "results/folders.h"
#include "results/store.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;

void check_source(const std::string& source, const std::string& target) {
  std::error_code error;
  if (!fs::exists(source + "/manifest.json", error) || !fs::exists(source + "/runs.jsonl", error))
    throw Error(fmt::format("not a folder of results (given '{}')", source));
  if (fs::equivalent(source, target, error))
    throw Error(fmt::format("a folder cannot be merged with itself (given '{}')", source));
}

}  // namespace

MergeCounts merge(const std::vector<std::string>& sources, const std::string& target, const Catalog& catalog,
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
    StoredRuns stored = read_runs(source, catalog);
    for (const DamagedLine& line : stored.damaged) counts.damage.push_back(line.what);
    for (RunRecord& record : stored.records.take()) found.emplace_back(std::move(record), source);
  }

  // Conflicts are found before anything is written, or even a folder made.
  SettledRuns among_sources;
  for (const auto& [record, source] : found) among_sources.add(record, source);
  Store store(target, catalog);
  SettledRuns results;
  for (const auto& [record, source] : found)
    if (const RunRecord* there = store.find(record.run_id);
        there != nullptr && results.records().find(record.run_id) == nullptr)
      results.add(*there, target);
  std::vector<std::pair<RunRecord, std::string>> fresh;
  for (const auto& [record, source] : found)
    if (results.add(record, source)) fresh.emplace_back(record, source);

  store.write_manifest(invocation);
  for (const auto& [record, source] : fresh) {
    const auto model = find_model(source, record.run_id);
    if (model) replace_file(store.model_path(record.run_id), read_whole_file(*model));
    if (!model && record.result.status == RunResult::Status::finished) counts.without_model.push_back(record.run_id);
    store.append(record);
    ++counts.copied;
  }
  counts.runs = results.records().all().size();
  store.write_exports({});
  return counts;
}

}  // namespace posenc
