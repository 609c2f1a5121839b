// The checksum at the end of a line of runs.jsonl.
#pragma once

#include <string>
#include <string_view>

namespace posenc {

// A JSON object with the CRC-32 of its text as its last key: {...} becomes {...,"crc":"cbf43926"}.
std::string with_checksum(std::string object);

// The object that with_checksum() made `line` from. Throws Error when `line` ends otherwise or was changed since.
std::string without_checksum(std::string_view line);

}  // namespace posenc
