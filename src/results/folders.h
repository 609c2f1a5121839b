// Several folders of results read as one, for reports; nothing is written.
#pragma once

#include <string>
#include <vector>

#include "results/stored_runs.h"

namespace posenc {

// Runs by id, each with the one result that counts: what finished or diverged beats what failed, of two failures the
// first stays. Throws Error where a run has two different results (all but `execution` compared).
class SettledRuns {
 public:
  // Whether the record was taken. `where` is for the error.
  bool add(const RunRecord& record, const std::string& where);

  const RunRecords& records() const { return records_; }
  std::vector<RunRecord> take() { return records_.take(); }

 private:
  RunRecords records_;
};

struct ReadFolders {
  std::vector<RunRecord> records;
  std::vector<std::string> damage;   // one sentence a damaged line
  std::vector<std::string> folders;  // those that were read
};

// Reads each of `folders`: a folder of results, or one whose direct subfolders are, as the shards of a sweep. Throws
// Error (usage): something else, or one that holds no run.
ReadFolders read_folders(const std::vector<std::string>& folders, const Catalog& catalog);

}  // namespace posenc
