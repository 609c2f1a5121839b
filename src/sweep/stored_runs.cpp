#include "sweep/stored_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/identity.h"
#include "files/files.h"
#include "posenc/error.h"

namespace posenc {
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

StoredRuns read_runs(const std::string& folder) {
  const std::string file = folder + "/runs.jsonl", text = read_whole_file(file);
  StoredRuns stored;
  stored.ends_mid_line = !text.empty() && text.back() != '\n';
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    ++number;
    try {
      stored.records.put(from_line(std::string_view(text).substr(begin, end - begin)));
    } catch (const Error& error) {
      if (std::string(error.what()).starts_with("results of another schema")) throw;
      stored.damaged.push_back({begin, end - begin, fmt::format("{}:{}: {}", file, number, error.what())});
    }
  }
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
