// A report as tables of texts, which the terminal, Markdown and the page share.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/table.h"

namespace posenc {

// Outcomes, successes, pairs and failures, each where there is something to say. `most_pairs`: of more, the table has
// the first and a note.
std::vector<Table> report_tables(const Report& report, std::size_t most_pairs);

// "runs 640 in results/a; seeds 1 to 20, paired; val-acc: final validation accuracy"
std::string report_title(const Report& report);

// What a reader must know of the whole: notes of the grouping, resampling, machines.
std::vector<std::string> report_notes(const Report& report);

// "fixed is higher", "no difference shown; about 40 seeds needed": a pair in words.
std::string pair_words(const PairReport& pair);

}  // namespace posenc
