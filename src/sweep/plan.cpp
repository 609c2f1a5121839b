#include "sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "config/choice.h"
#include "config/lengths.h"
#include "posenc/error.h"
#include "sweep/cost.h"

namespace posenc {
namespace {

constexpr std::size_t kMostValues = 2'000'000;  // of one list
constexpr std::uint64_t kLargestGrid = 20'000'000;

bool is_range(const Field& field, const std::string& text) {
  return field.type.kind == ValueType::Kind::integer && text.find("..") != std::string::npos;
}

// "0..31" or "0..100:10", both ends included where the step meets them.
void add_range(const Field& field, const std::string& text, const std::string& what, std::vector<Value>& values) {
  const auto dots = text.find(".."), colon = text.find(':', dots);
  const auto number = [&](const std::string& piece, const ValueType& type) {
    return std::get<std::int64_t>(parse_value(type, piece, what + ": range " + text));
  };
  if (dots == 0 || dots + 2 == text.size())
    throw Error(fmt::format("{}: a range lacks an end (given '{}', allowed: least..greatest[:step])", what, text));
  const std::int64_t first = number(text.substr(0, dots), field.type);
  const std::int64_t last =
      number(text.substr(dots + 2, colon == std::string::npos ? colon : colon - dots - 2), field.type);
  const std::int64_t step = colon == std::string::npos ? 1 : number(text.substr(colon + 1), ValueType::integer(1));
  if (last < first)
    throw Error(fmt::format("{}: a range falls (given '{}', allowed: least..greatest[:step])", what, text));
  if (static_cast<std::size_t>((last - first) / step) + values.size() >= kMostValues)
    throw Error(
        fmt::format("{}: a list is too long (given '{}', allowed: at most {} values)", what, text, kMostValues));
  for (std::int64_t value = first; value <= last; value += step) values.emplace_back(value);
}

std::string origin_name(const Settings& settings, const std::string& field) {
  const auto found = settings.find(field);
  return found == settings.end() ? "--" + field : found->second.origin.describe(field);
}

}  // namespace

std::vector<Value> parse_list(const Field& field, const std::string& text, const std::string& what) {
  if (text.empty()) throw Error(fmt::format("{}: the list is empty (allowed: {})", what, field.type.describe()));
  std::vector<Value> values;
  const std::vector<std::string> pieces = field.is_list     ? split(text, ';')
                                          : field.is_choice ? split_choices(text)
                                                            : split(text, ',');
  for (const std::string& piece : pieces) {
    if (is_range(field, piece)) {
      add_range(field, piece, what, values);
    } else {
      if (piece.empty() && values.size() + pieces.size() > 1)
        throw Error(fmt::format("{}: a list has an empty value (given '{}')", what, text));
      values.push_back(parse_value(field.type, piece, what));
    }
  }
  return values;
}

Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  const auto refuse = [&] { throw Error(fmt::format("--shard is not I/N (given '{}', allowed: 1/N to N/N)", text)); };
  if (slash == std::string::npos) refuse();
  Shard shard;
  const ValueType positive = ValueType::integer(1);
  try {
    shard.number = std::get<std::int64_t>(parse_value(positive, text.substr(0, slash), "--shard"));
    shard.of = std::get<std::int64_t>(parse_value(positive, text.substr(slash + 1), "--shard"));
  } catch (const Error&) {
    refuse();
  }
  if (shard.number > shard.of) refuse();
  return shard;
}

Plan::Plan(const SweepSettings& given, const Catalog& catalog) : given_(given.settings), catalog_(&catalog) {
  const auto canonical = [&](const Field& field, std::vector<Value>& values) {
    for (Value& value : values)
      if (auto* text = std::get_if<std::string>(&value))
        *text = canonical_text(field, *text, catalog, origin_name(given_, field.name));
  };
  const auto add_revisions = [&](const Field& field, const std::string& text) {
    if (std::string found = revisions_in(field, text, catalog); !found.empty()) revisions_[text] = std::move(found);
  };
  Settings first = given.settings;
  for (const Field& field : fields()) {
    if (field.is_choice) choices_.push_back(&field);
    const auto setting = first.find(field.name);
    if (setting == first.end() || !field.identity) continue;  // what is only shown is never a list
    const std::string what = origin_name(given_, field.name);
    Axis axis{&field, parse_list(field, setting->second.text, what)};
    canonical(field, axis.values);
    if (field.is_choice)
      for (const Value& value : axis.values) add_revisions(field, std::get<std::string>(value));
    setting->second.text = to_text(axis.values.front());
    if (axis.values.size() == 1) continue;
    if (grid_size_ > kLargestGrid / axis.values.size())
      throw Error(fmt::format("the sweep has more than {} combinations", kLargestGrid));
    grid_size_ *= axis.values.size();
    axes_.push_back(std::move(axis));
  }
  for (const Settings& match : given.exclusions) {
    Exclusion exclusion;
    for (const auto& [name, setting] : match) {
      const Field& field = *find_field(name);
      Axis axis{&field, parse_list(field, setting.text, setting.origin.describe(name))};
      canonical(field, axis.values);
      exclusion.match.push_back(std::move(axis));
      exclusion.where = setting.origin.where;
    }
    exclusions_.push_back(std::move(exclusion));
  }
  // The first combination may itself be excluded or inconsistent; only its values are read here.
  base_ = resolve_unchecked(first);
  canonicalise(base_.config, catalog, given_);
  for (const Field* field : choices_) add_revisions(*field, std::get<std::string>(field->get(base_.config)));
  // Two values that decide the same are one run: cuda:0 and cuda:1.
  for (const Axis& axis : axes_) {
    std::set<std::string> seen;
    for (const Value& value : axis.values) {
      RunConfig config = base_.config;
      axis.field->set(config, value);
      if (!seen.insert(to_text(axis.field->identity_value(config))).second)
        throw Error(fmt::format("{}: a value stands twice (given '{}')", origin_name(given_, axis.field->name),
                                to_text(value)));
    }
  }
}

RunConfig Plan::at(std::uint64_t index) const {
  RunConfig config = base_.config;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    axis->field->set(config, axis->values[index % axis->values.size()]);
    index /= axis->values.size();
  }
  derive_unset(config, given_);
  std::vector<std::string> revisions;
  if (!revisions_.empty())
    for (const Field* field : choices_)
      if (const auto found = revisions_.find(std::get<std::string>(field->get(config))); found != revisions_.end())
        revisions.push_back(found->second);
  set_revisions(config, revisions);
  return config;
}

bool Plan::excluded(std::uint64_t index) const {
  if (exclusions_.empty()) return false;
  const RunConfig config = at(index);
  const auto matches = [&](const Axis& axis) {
    return std::find(axis.values.begin(), axis.values.end(), axis.field->get(config)) != axis.values.end();
  };
  return std::any_of(exclusions_.begin(), exclusions_.end(), [&](const Exclusion& exclusion) {
    return std::all_of(exclusion.match.begin(), exclusion.match.end(), matches);
  });
}

std::vector<std::string> Plan::idle_exclusions() const {
  const auto occurs = [&](const Axis& match) {
    const auto axis = std::find_if(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.field == match.field; });
    if (axis == axes_.end() && match.field->derive && !given_.contains(match.field->name))
      return true;  // follows an axis
    const std::vector<Value> values =
        axis == axes_.end() ? std::vector<Value>{match.field->get(base_.config)} : axis->values;
    return std::any_of(values.begin(), values.end(), [&](const Value& value) {
      return std::find(match.values.begin(), match.values.end(), value) != match.values.end();
    });
  };
  std::vector<std::string> idle;
  for (const Exclusion& exclusion : exclusions_)
    if (!std::all_of(exclusion.match.begin(), exclusion.match.end(), occurs)) idle.push_back(exclusion.where);
  return idle;
}

std::vector<std::uint64_t> Plan::runs(const Shard& shard) const {
  std::vector<std::uint64_t> mine;
  if (shard.of == 1) {
    for (std::uint64_t i = 0; i < grid_size_; ++i)
      if (!excluded(i)) mine.push_back(i);
    return mine;
  }
  // Dealt like cards, the dearest first and back and forth, so that no shard gets all the large ones.
  std::vector<std::pair<double, std::uint64_t>> by_cost;
  by_cost.reserve(grid_size_);
  for (std::uint64_t i = 0; i < grid_size_; ++i)
    if (!excluded(i)) by_cost.emplace_back(-run_cost(at(i)), i);
  std::sort(by_cost.begin(), by_cost.end());
  const std::uint64_t shards = static_cast<std::uint64_t>(shard.of),
                      number = static_cast<std::uint64_t>(shard.number - 1);
  for (std::uint64_t place = 0; place < by_cost.size(); ++place) {
    const std::uint64_t round = place / shards, seat = place % shards;
    if ((round % 2 == 0 ? seat : shards - 1 - seat) == number) mine.push_back(by_cost[place].second);
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

void Plan::check_at(std::uint64_t index) const {
  RunConfig config = at(index);
  try {
    check(config, *catalog_, given_);
  } catch (const Error& error) {
    throw Error(axes_.empty() ? error.what() : fmt::format("{} [in the run {}]", error.what(), describe(config)));
  }
}

std::string Plan::describe(const RunConfig& config) const {
  std::string text;
  for (const Axis& axis : axes_)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", axis.field->name, to_text(axis.field->get(config)));
  return text.empty() ? config.pos : text;
}

std::string Plan::definition() const {
  std::string text;
  for (const auto& [name, setting] : given_)
    if (find_field(name)->identity) text += fmt::format("{} = {}\n", name, setting.text);
  for (const Exclusion& exclusion : exclusions_) {
    text += "exclude";
    for (const Axis& axis : exclusion.match)
      for (const Value& value : axis.values) text += fmt::format(" {}={}", axis.field->name, to_text(value));
    text += "\n";
  }
  return text;
}

}  // namespace posenc
