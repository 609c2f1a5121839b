// Runs that differ in nothing but their seeds, as one group, and what tells the groups apart.
#pragma once

#include <string>
#include <vector>

#include "config/fields.h"
#include "posenc/catalog.h"
#include "results/record.h"

namespace posenc {

struct Group {
  std::vector<std::string> key;        // one text a column
  std::vector<const RunRecord*> runs;  // by seed
};

struct Grouping {
  std::vector<const Field*> columns;  // the options that vary, seeds apart; those asked for first
  std::vector<Group> groups;          // in the order of their keys: numbers rise, encodings and tasks as their tables
  std::vector<std::pair<std::string, std::string>> shared;  // the options that do not vary, with their values
  std::vector<std::string> notes;                           // one sentence each
};

// Groups `records`. `by` names options to have first, in that order; one that does not vary is left out and noted, as
// is one that varies and was not named, which is kept apart all the same. Throws Error: a name that is no option that
// decides what is computed, or a seed. `records` must outlive the grouping.
Grouping group_runs(const std::vector<RunRecord>& records, const std::vector<std::string>& by, const Catalog& catalog);

// "vocab=2, seq-len=16".
std::string setting_text(const std::vector<std::pair<std::string, std::string>>& setting);

// The seeds of a run: what two runs of a pair have in common.
std::string seeds_of(const RunConfig& config);

}  // namespace posenc
