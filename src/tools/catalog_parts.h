// How one entry of any table is written: what the texts of encodings and of tasks share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "posenc/catalog.h"

namespace posenc {

// Name and formula, source, parameters with defaults and ranges: a few lines, each with its end.
std::string entry_text(const CatalogEntry& entry);

nlohmann::ordered_json entry_json(const CatalogEntry& entry);

// "`base=10000` `fraction=1`"
std::string parameters_cell(const CatalogEntry& entry);

Parameters defaults_of(const CatalogEntry& entry);

}  // namespace posenc
