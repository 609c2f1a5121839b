#include "results/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/replacement_file.h"
#include "config/identity.h"
#include "posenc/error.h"
#include "results/csv.h"
#include "results/manifest.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kRuns = "runs.jsonl";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kModels = "models";

bool is_partial(const std::string& name) { return name.find(kPartialMark) != std::string::npos; }

// What processes that were killed did not finish; only called while the folder is locked.
void remove_partial_files(const fs::path& folder) {
  std::vector<fs::path> partial;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && is_partial(entry.path().filename().string())) partial.push_back(entry.path());
  for (const fs::path& path : partial) fs::remove(path);
}

// A folder in which a process died while making it holds nothing else than this.
bool is_unfinished(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool ours = FolderLock::is_part(name) || is_partial(name) || name == kModels ||
                      (name == kRuns && fs::file_size(entry.path()) == 0);
    if (!ours) return false;
  }
  return true;
}

}  // namespace

Store::Store(const std::string& folder, const Catalog& catalog) : folder_(folder) {
  create_or_check();
  lock_.emplace(folder_, ::flock);
  StoredRuns stored;
  if (fs::exists(path(kManifest))) {
    read_manifest(folder_);
    stored = read_runs(folder_, catalog);
  }
  lock_->sign();
  open_runs();
  move_damaged(stored);
  records_ = std::move(stored.records);
}

void Store::create_or_check() {
  if (folder_.empty()) throw Error("--out is not a folder (given '')");
  std::error_code error;
  const bool existed = fs::exists(folder_, error);
  if (existed && !fs::is_directory(folder_, error))
    throw Error(fmt::format("--out is not a folder (given '{}')", folder_));
  if (existed) {
    const bool has_manifest = fs::exists(path(kManifest)), has_runs = fs::exists(path(kRuns));
    const bool fresh = !has_manifest && is_unfinished(folder_);
    if (!fresh && !(has_manifest && has_runs))
      throw Error(
          fmt::format("--out is not a folder of results: {} is missing (given '{}', allowed: a new or empty "
                      "folder, or one that posenc wrote)",
                      !has_manifest ? kManifest : kRuns, folder_));
  }
  fs::create_directories(folder_, error);
  if (error) throw Error(fmt::format("--out: cannot make the folder (given '{}': {})", folder_, error.message()));
}

void Store::open_runs() {
  std::error_code error;
  fs::create_directories(path(kModels), error);
  if (error) throw Error(fmt::format("--out: cannot make the folder (given '{}': {})", path(kModels), error.message()));
  remove_partial_files(folder_);
  remove_partial_files(path(kModels));
  runs_ = Descriptor(open(path(kRuns).c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (runs_.number() < 0)
    throw Error(fmt::format("--out: cannot write there (given '{}': {})", folder_, std::strerror(errno)));
  if (!fs::exists(path(kManifest)))
    replace_file(path(kManifest),
                 ordered_json{{"schema", kSchemaVersion}, {"invocations", ordered_json::array()}}.dump(1));
}

void Store::move_damaged(const StoredRuns& stored) {
  const std::string name = path(kRuns);
  if (stored.damaged.empty()) {
    if (stored.ends_mid_line) append_synced(runs_.number(), "\n", name);
    return;
  }
  const std::string text = read_whole_file(name), beside = name + ".damaged";
  std::string damaged, rest;
  std::size_t end = 0;
  for (const DamagedLine& line : stored.damaged) {
    damage_.push_back(line.what);
    damaged += text.substr(line.begin, line.size) + "\n";
    rest += text.substr(end, line.begin - end);
    end = std::min(line.begin + line.size + 1, text.size());
  }
  rest += text.substr(end);
  if (!rest.empty() && rest.back() != '\n') rest += '\n';
  const Descriptor opened(open(beside.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666));
  if (opened.number() < 0)
    throw Error(fmt::format("cannot write {} ({})", beside, std::strerror(errno)), Error::Kind::failure);
  append_synced(opened.number(), damaged, beside);
  replace_file(name, rest);
  runs_ = Descriptor(open(name.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
}

void Store::append(const RunRecord& record) {
  struct stat opened {
  }, there{};
  const bool same = fstat(runs_.number(), &opened) == 0 && stat(path(kRuns).c_str(), &there) == 0 &&
                    opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
  if (!same)
    throw Error(fmt::format("{} is gone: it was removed or moved while it was in use", path(kRuns)),
                Error::Kind::failure);
  append_synced(runs_.number(), to_line(record) + "\n", path(kRuns));
  records_.put(record);
}

std::vector<std::string> Store::without_model(const std::vector<std::string>& run_ids) const {
  std::vector<std::string> missing;
  for (const std::string& id : run_ids) {
    const RunRecord* record = find(id);
    const bool finished = record != nullptr && record->result.status == RunResult::Status::finished;
    if (finished && !find_model(folder_, id)) missing.push_back(id);
  }
  return missing;
}

void Store::write_manifest(const ordered_json& invocation) {
  ordered_json manifest = read_manifest(folder_);
  ordered_json& invocations = manifest["invocations"];
  if (invocation_added_ && !invocations.empty()) invocations.erase(invocations.size() - 1);
  invocations.push_back(invocation);
  invocation_added_ = true;
  replace_file(path(kManifest), manifest.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

bool Store::defined_otherwise(const std::string& definition) const {
  const ordered_json manifest = read_manifest(folder_);
  const ordered_json& invocations = manifest["invocations"];
  return std::any_of(invocations.begin(), invocations.end(), [&](const ordered_json& invocation) {
    return invocation.contains("sweep") && invocation["sweep"] != definition;
  });
}

void Store::write_exports(const std::vector<std::string>& plan) const {
  std::vector<const RunRecord*> sorted;
  std::set<const RunRecord*> taken;
  const auto take = [&](const RunRecord* record) {
    if (record != nullptr && taken.insert(record).second) sorted.push_back(record);
  };
  for (const std::string& id : plan) take(find(id));
  for (const RunRecord& record : records_.all()) take(&record);
  replace_file(path("runs.csv"), runs_csv(sorted));
  replace_file(path("epochs.csv"), epochs_csv(sorted));
  const bool tested =
      std::any_of(sorted.begin(), sorted.end(), [](const RunRecord* r) { return !r->result.lengths.empty(); });
  if (tested) replace_file(path("lengths.csv"), lengths_csv(sorted));
}

}  // namespace posenc
