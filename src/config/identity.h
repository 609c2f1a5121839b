// What makes two runs the same run: the identity of a configuration and the run id made from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/run_config.h"
#include "posenc/value.h"

namespace posenc {

// Rises when a default or the meaning of a field changes, and with it every run id.
inline constexpr int kSchemaVersion = 2;

// Every identity field under its option's name in snake_case, in the order of the field table. The device is its kind
// alone: cuda:1 trains as cuda:0 does.
std::vector<std::pair<std::string, Value>> identity(const RunConfig& config);

// "r" and 16 hexadecimal digits: FNV-1a (64 bits) of the schema version and of the identity fields that differ from
// their defaults, sorted by name. `config` must have passed check(). The letter is there for readers of tables, to whom
// 2505e49383024723 is a number.
std::string run_id(const RunConfig& config, const Catalog& catalog);

// Whether `text` has the form of a run id: as run_id() writes it, or the digits alone, as earlier releases wrote it.
bool is_run_id(std::string_view text);

// A run id as run_id() writes it; both forms are one id. `id` must be a run id.
std::string normal_run_id(std::string_view id);

// A run id as earlier releases wrote it. `id` must be a run id.
std::string former_run_id(std::string_view id);

// Whether `id`, in either form, was given by a release of this schema to a run that it stored with the values of
// `stored`, which are taken as they stand.
bool is_id_of_stored(std::string_view id, const RunConfig& stored, const Catalog& catalog);

// "seq-len" -> "seq_len"
std::string snake_case(std::string name);

std::uint64_t fnv1a(std::string_view bytes);

}  // namespace posenc
