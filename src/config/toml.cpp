// TOML files of options, read with toml++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "base/nearest.h"
#include "config/fields.h"
#include "config/settings.h"
#include "posenc/error.h"

namespace posenc {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;  // bytes; a configuration is a page

std::string read_file(const std::string& path) {
  try {
    return read_whole_file(path, kLargestFile);
  } catch (const Error& error) {
    throw Error(fmt::format("--config: {}", error.what()));
  }
}

// toml++ descends once for each part of a dotted key, and a key of thousands of parts would exhaust the stack.
void check_depth(const std::string& text, const std::string& path) {
  constexpr std::ptrdiff_t kMostDots = 1000;  // in a line
  std::istringstream stream(text);
  std::int64_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (std::count(line.begin(), line.end(), '.') > kMostDots)
      throw Error(fmt::format("{}:{}: a key has too many parts (allowed: at most {})", path, number, kMostDots));
  }
}

toml::table parse(const std::string& path) {
  const std::string text = read_file(path);
  check_depth(text, path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    std::string why(error.description());
    std::replace(why.begin(), why.end(), '\n', ' ');
    throw Error(fmt::format("{}:{}: not TOML: {}", path, error.source().begin.line, why));
  }
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const Field& field : fields())
    if (field.in_file) keys.push_back(field.name);
  return keys;
}

[[noreturn]] void refuse_type(const toml::node& node, const Field& field, const std::string& where) {
  std::ostringstream type;
  type << node.type();
  throw Error(fmt::format("{}: {} has the wrong type (given a TOML {}, allowed: {})", where, field.name, type.str(),
                          field.type.describe()));
}

// The text of a TOML value, as the command line would give it.
std::string text_of(const toml::node& node, const Field& field, const std::string& where) {
  const ValueType::Kind kind = field.type.kind;
  if (kind == ValueType::Kind::flag && node.is_boolean()) return to_text(node.as_boolean()->get());
  if (kind == ValueType::Kind::integer && node.is_integer()) return to_text(node.as_integer()->get());
  if (kind == ValueType::Kind::real && node.is_integer()) return to_text(node.as_integer()->get());
  if (kind == ValueType::Kind::real && node.is_floating_point()) return to_text(node.as_floating_point()->get());
  if (kind == ValueType::Kind::text && node.is_string()) return node.as_string()->get();
  refuse_type(node, field, where);
}

[[noreturn]] void refuse_mixture(const Field& field, const std::string& where) {
  throw Error(fmt::format("{}: {} mixes values and lists (allowed: [8, 16] for one list, [[8, 16], [32]] for a sweep)",
                          where, field.name));
}

// One list of a field whose value is one: [8, 16, "64..512:64"], or the text of it.
std::string one_list(const toml::node& node, const Field& field, const std::string& where) {
  const toml::array* items = node.as_array();
  if (items == nullptr) return node.is_integer() ? to_text(node.as_integer()->get()) : text_of(node, field, where);
  std::vector<std::string> list;
  for (const toml::node& item : *items) {
    if (item.is_array()) refuse_mixture(field, where);
    if (!item.is_integer() && !item.is_string()) refuse_type(item, field, where);
    if (item.is_string() && item.as_string()->get().find(',') != std::string::npos) refuse_mixture(field, where);
    list.push_back(item.is_integer() ? to_text(item.as_integer()->get()) : item.as_string()->get());
  }
  return fmt::format("{}", fmt::join(list, ","));
}

// Several of them, separated by ';', or one.
std::string lists_of(const toml::node& node, const Field& field, const std::string& where) {
  const toml::array* items = node.as_array();
  if (items == nullptr || items->empty() || !items->front().is_array()) return one_list(node, field, where);
  std::vector<std::string> lists;
  for (const toml::node& item : *items) {
    if (!item.is_array()) refuse_mixture(field, where);
    lists.push_back(one_list(item, field, where));
  }
  return fmt::format("{}", fmt::join(lists, ";"));
}

// The same of an array of values, or of a text such as "0..31".
std::string list_of(const toml::node& node, const Field& field, const std::string& where) {
  if (field.is_list) return lists_of(node, field, where);
  if (node.is_string() && field.type.kind != ValueType::Kind::real) return node.as_string()->get();
  if (!node.is_array()) return text_of(node, field, where);
  std::vector<std::string> list;
  for (const toml::node& item : *node.as_array()) {
    const bool range = item.is_string() && field.type.kind == ValueType::Kind::integer;
    list.push_back(range ? item.as_string()->get() : text_of(item, field, where));
  }
  return fmt::format("{}", fmt::join(list, ","));
}

// Calls `visit(key, node, where)` in the order of the file, so that the first mistake is the one reported.
template <typename Visit>
void visit_in_order(const toml::table& table, const std::string& path, Visit visit) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin.line < b.second->source().begin.line;
  });
  for (const auto& [key, node] : entries) visit(key, *node, fmt::format("{}:{}", path, node->source().begin.line));
}

const Field& known_field(const std::string& key, const std::string& where) {
  const Field* field = find_field(key);
  if (field == nullptr || !field->in_file)
    throw Error(fmt::format("{}: unknown key (given '{}'{})", where, key, nearest_hint(key, known_keys())));
  return *field;
}

constexpr const char* kExclude = "exclude";

}  // namespace

SweepSettings read_sweep_toml(const std::string& path) {
  SweepSettings read;
  const auto add = [](Settings& settings, const std::string& key, const toml::node& node, const std::string& where) {
    settings[key] = {list_of(node, known_field(key, where), where), {Origin::Source::file, where}};
  };
  visit_in_order(parse(path), path, [&](const std::string& key, const toml::node& node, const std::string& where) {
    if (key != kExclude) return add(read.settings, key, node, where);
    const toml::array* tables = node.as_array();
    if (tables == nullptr || !tables->is_homogeneous<toml::table>())
      throw Error(fmt::format("{}: exclude has the wrong type (allowed: tables, each headed [[exclude]])", where));
    for (const toml::node& table : *tables) {
      Settings match;
      visit_in_order(*table.as_table(), path,
                     [&](const std::string& inner, const toml::node& value, const std::string& place) {
                       add(match, inner, value, place);
                     });
      if (match.empty())
        throw Error(fmt::format("{}: [[exclude]] names nothing, which would leave out every run", where));
      read.exclusions.push_back(match);
    }
  });
  return read;
}

Settings read_toml(const std::string& path) {
  Settings settings;
  visit_in_order(parse(path), path, [&](const std::string& key, const toml::node& node, const std::string& where) {
    const bool is_exclude = key == kExclude;
    const Field* field = is_exclude ? nullptr : &known_field(key, where);
    const bool is_range = field != nullptr && field->type.kind == ValueType::Kind::integer && node.is_string() &&
                          node.as_string()->get().find("..") != std::string::npos;
    const bool several = node.is_array() && !node.as_array()->empty() && node.as_array()->front().is_array();
    if (field != nullptr && field->is_list && !several) {
      settings[key] = {one_list(node, *field, where), {Origin::Source::file, where}};
      return;
    }
    if (is_exclude || node.is_array() || is_range)
      throw Error(fmt::format("{}: {} is for a sweep (write: posenc sweep --config {})", where, key, path));
    settings[key] = {text_of(node, *field, where), {Origin::Source::file, where}};
  });
  return settings;
}

}  // namespace posenc
