// The grammar of one entry of a table: NAME[:key=value[,key=value]...]. --task is one; --pos may have wrappers behind
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "posenc/catalog.h"

namespace posenc {

struct ChoiceText {
  std::string name;
  std::vector<std::pair<std::string, std::string>> parameters;
};

std::vector<std::string> split(std::string_view text, char separator);  // at every separator; "" is one empty piece

// Splits one choice; throws Error when it is not of the grammar or a key stands twice.
ChoiceText split_choice(std::string_view text, std::string_view what);

// Splits a list of choices at its commas. A comma starts a new item unless the piece after it has '=' before any
// ':', as in "learnable:std=0.1,fixed" (two items) or "rope:base=500,fraction=0.5" (one).
std::vector<std::string> split_choices(std::string_view text);

// All parameters of `entry`, those of `choice` over the defaults. Throws Error on an unknown key or bad value.
Parameters read_parameters(const CatalogEntry& entry, const ChoiceText& choice, std::string_view what);

// The one way to write a choice: parameters that differ from their defaults, sorted by key.
std::string canonical_choice(const CatalogEntry& entry, const Parameters& parameters);

[[noreturn]] void refuse_name(std::string_view given, const std::vector<std::string>& known, std::string_view what,
                              std::string_view kind);

// The entry named `name`. `what` names the option ("--pos"), `kind` the thing ("encoding"). Throws Error.
template <typename Entry>
const Entry& find_entry(const std::vector<Entry>& entries, std::string_view name, std::string_view what,
                        std::string_view kind) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  refuse_name(name, names, what, kind);
}

}  // namespace posenc
