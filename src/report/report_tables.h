// A report as tables of texts, which the terminal, Markdown and the page share.
#pragma once

#include <string>
#include <vector>

#include "plot/table.h"
#include "report/report.h"

namespace posenc {

// What a table shows at most; of more it has some, and a note.
struct TableSizes {
  std::size_t pairs = static_cast<std::size_t>(-1);
  std::size_t lengths = 24;
};

// Outcomes, tested lengths, successes, pairs and failures, each where there is something to say.
std::vector<Table> report_tables(const Report& report, const TableSizes& most);

// "640 runs in results/a (seeds 1 to 20, seeding paired), by val-acc"
std::string report_title(const Report& report);

// What a reader must know of the whole: notes of the grouping, resampling, machines.
std::vector<std::string> report_notes(const Report& report);

// "fixed is higher", "no difference shown; about 40 seeds needed": a pair in words.
std::string pair_words(const PairReport& pair);

}  // namespace posenc
