#include "report/grouping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "config/choice.h"
#include "posenc/error.h"

namespace posenc {
namespace {

bool is_seed(const Field& field) { return field.name == "seed" || field.name.ends_with("-seed"); }

// By what the values of one column are sorted: the place of a name in its table, a number, a text.
using Order = std::tuple<std::size_t, double, std::string>;

template <typename Entry>
std::size_t place_in(const std::vector<Entry>& entries, const std::string& choice) {
  const std::string name = choice.substr(0, choice.find_first_of(":+"));
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return static_cast<std::size_t>(found - entries.begin());
}

// Numbers within a text sort as numbers: 2..8 before 2..12.
std::string with_padded_numbers(const std::string& text) {
  constexpr std::size_t kDigits = 12;
  std::string padded, digits;
  const auto flush = [&] {
    if (!digits.empty()) padded += fmt::format("{:0>{}}", digits, kDigits);
    digits.clear();
  };
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    flush();
    padded += c;
  }
  flush();
  return padded;
}

Order order_of(const Field& field, const Value& value, const Catalog& catalog) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return {0, static_cast<double>(*number), ""};
  if (const auto* number = std::get_if<double>(&value)) return {0, *number, ""};
  const std::string given = to_text(value), text = with_padded_numbers(given);
  if (!field.is_choice) return {0, 0, text};
  return {field.name == "pos" ? place_in(catalog.encodings, given) : place_in(catalog.tasks, given), 0, text};
}

std::string values_of(const std::vector<const Field*>& some, const RunConfig& config) {
  std::string text;
  for (const Field* field : some) text += to_text(field->identity_value(config)) + '\n';
  return text;
}

// Whether two records agree in `others` and differ in `field`.
bool varies_beside(const Field& field, const std::vector<const Field*>& others, const std::vector<RunRecord>& records) {
  std::map<std::string, Value> seen;
  return std::any_of(records.begin(), records.end(), [&](const RunRecord& record) {
    const Value value = field.identity_value(record.config);
    return seen.try_emplace(values_of(others, record.config), value).first->second != value;
  });
}

// What is no option follows from the options, in one release: it comes last in the table.
bool is_computed(const Field& field) { return find_field(field.name) == nullptr; }

// Fields with more than one value over the records. One whose value everywhere follows from others, as max-len from
// seq-len, does not vary by itself.
std::vector<const Field*> varying(const std::vector<RunRecord>& records, const Catalog& catalog) {
  std::vector<const Field*> all;
  for (const Field* field : identity_fields()) {
    if (is_seed(*field)) continue;
    bool varies = false, follows = static_cast<bool>(field->derive);
    const Value first = records.empty() ? Value() : field->identity_value(records.front().config);
    for (const RunRecord& record : records) {
      const Value value = field->identity_value(record.config);
      varies = varies || value != first;
      follows = follows && value == field->default_value(record.config, catalog);
    }
    if (varies && is_computed(*field)) follows = !varies_beside(*field, all, records);
    if (varies && !follows) all.push_back(field);
  }
  return all;
}

std::vector<const Field*> in_order(std::vector<const Field*> all, const std::vector<std::string>& by,
                                   std::vector<std::string>& notes) {
  std::vector<const Field*> columns;
  for (const std::string& name : by) {
    const Field* field = find_field(name);
    std::vector<std::string> allowed;
    for (const Field& each : fields())
      if (each.identity && !is_seed(each)) allowed.push_back(each.name);
    if (field == nullptr || std::find(allowed.begin(), allowed.end(), name) == allowed.end())
      refuse_name(name, allowed, "--by", "option");
    const auto found = std::find(all.begin(), all.end(), field);
    if (found == all.end()) {
      if (std::find(columns.begin(), columns.end(), field) == columns.end())
        notes.push_back(fmt::format("--by {}: all runs have the same {}", name, name));
      continue;
    }
    columns.push_back(field);
    all.erase(found);
  }
  if (!by.empty())
    for (const Field* field : all)
      notes.push_back(fmt::format("{} varies, too, and is kept apart although --by does not name it", field->name));
  columns.insert(columns.end(), all.begin(), all.end());
  return columns;
}

}  // namespace

std::string setting_text(const std::vector<std::pair<std::string, std::string>>& setting) {
  std::vector<std::string> pieces;
  for (const auto& [name, value] : setting) pieces.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(pieces, ", "));
}

std::string seeds_of(const RunConfig& config) {
  return fmt::format("{:010} {:010} {:010}", config.seed, config.data_seed, config.init_seed);
}

Grouping group_runs(const std::vector<RunRecord>& records, const std::vector<std::string>& by, const Catalog& catalog) {
  Grouping grouping;
  const std::vector<const Field*> all = varying(records, catalog);
  grouping.columns = in_order(all, by, grouping.notes);
  std::map<std::vector<Order>, Group> groups;
  for (const RunRecord& record : records) {
    std::vector<Order> order;
    for (const Field* field : grouping.columns)
      order.push_back(order_of(*field, field->identity_value(record.config), catalog));
    Group& group = groups[order];
    if (group.runs.empty())
      for (const Field* field : grouping.columns) group.key.push_back(to_text(field->identity_value(record.config)));
    group.runs.push_back(&record);
  }
  for (auto& [order, group] : groups) {
    std::sort(group.runs.begin(), group.runs.end(),
              [](const RunRecord* a, const RunRecord* b) { return seeds_of(a->config) < seeds_of(b->config); });
    grouping.groups.push_back(std::move(group));
  }
  if (!records.empty())
    for (const Field* field : identity_fields())
      if (!is_seed(*field) && !is_computed(*field) && std::find(all.begin(), all.end(), field) == all.end())
        grouping.shared.emplace_back(field->name, to_text(field->identity_value(records.front().config)));
  return grouping;
}

}  // namespace posenc
