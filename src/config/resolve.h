// From settings to a configuration in which every value is known, legal and consistent with the others.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"
#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

struct Resolved {
  RunConfig config;
  Settings settings;  // every field, defaults included
};

// What of a configuration an encoding is built for.
EncodingSizes encoding_sizes(const RunConfig& config);

// Reads each setting, fills in defaults, and checks. Throws Error naming the option and where it was given.
Resolved resolve(const Settings& settings, const Catalog& catalog);

// Sets what was not given and follows from other options.
void derive_unset(RunConfig& config, const Settings& given, const Catalog& catalog);

// The same without check().
Resolved resolve_unchecked(const Settings& settings, const Catalog& catalog);

// The one way to write `text` as a value of `field`, whose option `what` names. Throws Error.
std::string canonical_text(const Field& field, const std::string& text, const Catalog& catalog,
                           const std::string& what);

// The revisions of the entries in the canonical text of one field, such as `pos`.
std::string revisions_in(const Field& field, const std::string& text, const Catalog& catalog);

// Sets RunConfig::revisions from those of its entries, a text a field, and from its own values.
void set_revisions(RunConfig& config, const std::vector<std::string>& of_entries);

// Rewrites every text of `config` so, and sets its revisions. An error names an option by where `given` says it came from.
void canonicalise(RunConfig& config, const Catalog& catalog, const Settings& given = {});

// What no single field can see: known encodings and tasks, heads that divide the width, lengths within a table.
// Canonicalises first. Throws Error as canonicalise() does.
void check(RunConfig& config, const Catalog& catalog, const Settings& given = {});

}  // namespace posenc
