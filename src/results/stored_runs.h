// What a folder of results has, for all that reads one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record.h"

namespace posenc {

// One record a run, in the order in which the runs came first.
class RunRecords {
 public:
  // Takes the place of the record that has its id, if there is one.
  void put(RunRecord record);

  // The record of a run, whose id is written in either form, or nullptr; valid until the next put().
  const RunRecord* find(std::string_view run_id) const;

  const std::vector<RunRecord>& all() const { return records_; }
  std::vector<RunRecord> take() { return std::move(records_); }

 private:
  std::vector<RunRecord> records_;
  std::map<std::string, std::size_t, std::less<>> places_;  // by normal_run_id()
};

struct DamagedLine {
  std::size_t begin = 0, size = 0;  // in the file, without its line break
  std::string what;                 // one sentence: file, line and why
};

struct StoredRuns {
  RunRecords records;  // of two lines with one id the later
  std::vector<DamagedLine> damaged;
  bool ends_mid_line = false;  // the last line's break is missing
};

// Reads the folder's runs.jsonl, whose lines may end in \r\n. A damaged line is named and the others are read. Throws
// Error (usage): a line of another release, which is named and would be lost if it were passed over.
StoredRuns read_runs(const std::string& folder, const Catalog& catalog);

// The folder's model of a run, under the name that this release gives it or an earlier one did.
std::optional<std::string> find_model(const std::string& folder, std::string_view run_id);

// Where this release saves that model.
std::string model_path(const std::string& folder, std::string_view run_id);

}  // namespace posenc
