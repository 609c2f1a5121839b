// Lines of runs.jsonl that posenc did not write: changed, with a checksum that is right.
#pragma once

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "results/record.h"

namespace posenc {

// CRC-32 (ISO-HDLC), bit by bit.
inline std::string crc_digits(const std::string& text) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", ~crc);
  return digits;
}

// A record's line without its checksum.
inline nlohmann::ordered_json parsed(const RunRecord& record) {
  auto json = nlohmann::ordered_json::parse(to_line(record));
  json.erase("crc");
  return json;
}

inline std::string sealed(const std::string& object) {
  return object.substr(0, object.size() - 1) + ",\"crc\":\"" + crc_digits(object) + "\"}";
}

inline std::string sealed(const nlohmann::ordered_json& object) { return sealed(object.dump()); }

// FNV-1a (64 bits) of the lines "name=value" under the heading of schema 2, as docs/RESULTS.md defines a run id.
inline std::string id_of(const std::string& identity_text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : "posenc run, schema 2\n" + identity_text)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  char digits[18];
  std::snprintf(digits, sizeof digits, "r%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

}  // namespace posenc
