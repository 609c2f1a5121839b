// Several folders of results read as one, for reports; nothing is written.
#pragma once

#include <string>
#include <vector>

#include "sweep/store.h"

namespace posenc {

// Runs by id, each with the one result that counts: what finished or diverged beats what failed, of two failures the
// first stays. Throws Error where a run has two different results (all but `execution` compared).
class SettledRuns {
 public:
  // Whether the record was taken. `where` is for the error.
  bool add(const RunRecord& record, const std::string& where);

  bool has(const std::string& run_id) const { return places_.contains(run_id); }
  const std::vector<RunRecord>& records() const { return records_; }  // in the order of their first lines
  std::vector<RunRecord> take() { return std::move(records_); }

 private:
  std::vector<RunRecord> records_;
  std::map<std::string, std::size_t> places_;
};

// The records of a folder, of two lines with one id the later.
std::vector<RunRecord> latest_records(StoredRuns stored);

struct ReadFolders {
  std::vector<RunRecord> records;
  std::vector<std::string> damage;   // one sentence a damaged line
  std::vector<std::string> folders;  // those that were read
};

// Reads each of `folders`: a folder of results, or one whose direct subfolders are, as the shards of a sweep. Throws
// Error (usage): something else, or one that holds no run.
ReadFolders read_folders(const std::vector<std::string>& folders);

}  // namespace posenc
