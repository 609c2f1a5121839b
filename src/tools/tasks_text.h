// The table of tasks as people, programs and the README read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "posenc/catalog.h"

namespace posenc {

// Each task in a few lines: formula, source, parameters, classes, legal lengths and vocabularies, and, where it has
// sequences of `length` tokens over `vocab` (its own vocabulary where it prescribes one), what guessing and models that
// see less than everything reach there.
std::string tasks_text(const Catalog& catalog, std::int64_t length, std::int64_t vocab);

// {"tasks": [...]}; one object a task with everything that the table says of it. "here" is null where it has no such
// sequences.
nlohmann::ordered_json tasks_json(const Catalog& catalog, std::int64_t length, std::int64_t vocab);

// A Markdown table, as the README has it.
std::string tasks_markdown(const Catalog& catalog);

}  // namespace posenc
