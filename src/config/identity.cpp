#include "config/identity.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/fields.h"

namespace posenc {
namespace {

constexpr char kLetter = 'r';
constexpr std::size_t kDigits = 16;

std::string_view digits_of(std::string_view id) { return id.substr(id.size() - kDigits); }

// The id of a run in which each identity field has the first of two values, and the second as its default.
template <typename ValuesOf>
std::string id_of(ValuesOf values_of) {
  std::vector<std::string> lines;
  for (const Field* field : identity_fields())
    if (const auto [value, default_value] = values_of(*field); value != default_value)
      lines.push_back(fmt::format("{}={}\n", snake_case(field->name), to_text(value)));
  std::sort(lines.begin(), lines.end());
  std::string text = fmt::format("posenc run, schema {}\n", kSchemaVersion);
  for (const std::string& line : lines) text += line;
  return fmt::format("{}{:016x}", kLetter, fnv1a(text));
}

}  // namespace

std::vector<std::pair<std::string, Value>> identity(const RunConfig& config) {
  std::vector<std::pair<std::string, Value>> values;
  for (const Field* field : identity_fields())
    values.emplace_back(snake_case(field->name), field->identity_value(config));
  return values;
}

std::string run_id(const RunConfig& config, const Catalog& catalog) {
  return id_of([&](const Field& field) {
    return std::pair(field.identity_value(config), field.default_value(config, catalog));
  });
}

bool is_run_id(std::string_view text) {
  if (text.size() == kDigits + 1 && text.front() == kLetter) text.remove_prefix(1);
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string normal_run_id(std::string_view id) { return fmt::format("{}{}", kLetter, digits_of(id)); }

std::string former_run_id(std::string_view id) { return std::string(digits_of(id)); }

bool is_id_of_stored(std::string_view id, const RunConfig& stored, const Catalog& catalog) {
  const auto is_id = [&](const std::string& other) { return digits_of(other) == digits_of(id); };
  const auto values_of = [&](const Field& field) {
    return std::pair(field.get(stored), field.default_value(stored, catalog));
  };
  if (is_id(id_of(values_of))) return true;
  // Releases before val-size followed from train-len gave it one default.
  return is_id(id_of([&](const Field& field) {
    return field.name == "val-size" ? std::pair(field.get(stored), field.get(RunConfig{})) : values_of(field);
  }));
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
