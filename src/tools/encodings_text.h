// The tables of encodings and wrappers as people, programs and the README read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "posenc/catalog.h"

namespace posenc {

// Each entry in a few lines: name and formula, source, parameters with defaults and ranges, what it is good for, and
// how many numbers it trains at `sizes` (or why it cannot be built for them).
std::string encodings_text(const Catalog& catalog, const EncodingSizes& sizes);

// {"encodings": [...], "wrappers": [...]}; one object an entry with everything that the table says of it.
nlohmann::ordered_json encodings_json(const Catalog& catalog, const EncodingSizes& sizes);

// Two Markdown tables, as the README has them.
std::string encodings_markdown(const Catalog& catalog);

}  // namespace posenc
