#include "results/stored_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "config/identity.h"
#include "posenc/error.h"
#include "results/manifest.h"

namespace posenc {
namespace {

// One line for all of them: each keeps the folder from being read.
void refuse_other_release(const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  const std::string more =
      lines.size() == 1 ? "" : fmt::format(", and {} more line{}", lines.size() - 1, lines.size() == 2 ? "" : "s");
  throw Error(fmt::format("{}{}; {}", lines.front(), more, kReadWithItsRelease));
}

}  // namespace

void RunRecords::put(RunRecord record) {
  const auto [place, fresh] = places_.try_emplace(record.run_id, records_.size());
  if (fresh) {
    records_.push_back(std::move(record));
  } else {
    records_[place->second] = std::move(record);
  }
}

const RunRecord* RunRecords::find(std::string_view run_id) const {
  if (!is_run_id(run_id)) return nullptr;
  const auto place = places_.find(normal_run_id(run_id));
  return place == places_.end() ? nullptr : &records_[place->second];
}

StoredRuns read_runs(const std::string& folder, const Catalog& catalog) {
  check_manifest_schema(folder);
  const std::string file = folder + "/runs.jsonl", text = read_whole_file(file);
  StoredRuns stored;
  stored.ends_mid_line = !text.empty() && text.back() != '\n';
  std::vector<std::string> other_release;
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    ++number;
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    auto read = from_line(line, catalog);
    if (auto* record = std::get_if<RunRecord>(&read)) {
      stored.records.put(std::move(*record));
      continue;
    }
    const LineFault& fault = std::get<LineFault>(read);
    switch (fault.kind) {
      case LineFault::Kind::damaged:
        stored.damaged.push_back(
            {begin, end - begin, fmt::format("{}:{}: damaged line ({})", file, number, fault.why)});
        break;
      case LineFault::Kind::other_release:
        other_release.push_back(fmt::format("{}:{}: {}", file, number, fault.why));
        break;
    }
  }
  refuse_other_release(other_release);
  return stored;
}

std::string model_path(const std::string& folder, std::string_view run_id) {
  return fmt::format("{}/models/{}.pt", folder, normal_run_id(run_id));
}

std::optional<std::string> find_model(const std::string& folder, std::string_view run_id) {
  std::error_code error;
  for (const std::string& path :
       {model_path(folder, run_id), fmt::format("{}/models/{}.pt", folder, former_run_id(run_id))})
    if (std::filesystem::is_regular_file(path, error)) return path;
  return std::nullopt;
}

}  // namespace posenc
