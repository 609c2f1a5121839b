// What makes two runs the same run: the identity of a configuration and the run id made from it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "posenc/run_config.h"
#include "posenc/value.h"

namespace posenc {

// Rises when a default or the meaning of a field changes, and with it every run id.
inline constexpr int kSchemaVersion = 2;

// Every identity field under its option's name in snake_case, in the order of the field table. The device is its kind
// alone: cuda:1 trains as cuda:0 does.
std::vector<std::pair<std::string, Value>> identity(const RunConfig& config);

// 16 hexadecimal digits: FNV-1a (64 bits) of the schema version and of the identity fields that differ from their
// defaults, sorted by name. `config` must have passed check().
std::string run_id(const RunConfig& config);

// "seq-len" -> "seq_len"
std::string snake_case(std::string name);

std::uint64_t fnv1a(std::string_view bytes);

}  // namespace posenc
