#include "config/identity.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/fields.h"

namespace posenc {

std::vector<std::pair<std::string, Value>> identity(const RunConfig& config) {
  std::vector<std::pair<std::string, Value>> values;
  for (const Field* field : identity_fields())
    values.emplace_back(snake_case(field->name), field->identity_value(config));
  return values;
}

std::string run_id(const RunConfig& config) {
  std::vector<std::string> lines;
  for (const Field* field : identity_fields()) {
    const Value value = field->identity_value(config);
    if (value != field->fallback(config))
      lines.push_back(fmt::format("{}={}\n", snake_case(field->name), to_text(value)));
  }
  std::sort(lines.begin(), lines.end());
  std::string text = fmt::format("posenc run, schema {}\n", kSchemaVersion);
  for (const std::string& line : lines) text += line;
  return fmt::format("{:016x}", fnv1a(text));
}

std::string snake_case(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace posenc
