#include "sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_set>

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

bool is_seed(const Field& field) { return field.name == "seed" || field.name.ends_with("-seed"); }

const std::vector<const Field*>& seed_fields() {
  static const std::vector<const Field*> all = [] {
    std::vector<const Field*> found;
    for (const Field& field : fields())
      if (is_seed(field)) found.push_back(&field);
    return found;
  }();
  return all;
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

// Integers that each differ from all others, as a range has by the million.
bool Plan::is_rising(const Axis& axis) {
  if (axis.field->type.kind != ValueType::Kind::integer || axis.field->identity_of) return false;
  return std::adjacent_find(axis.values.begin(), axis.values.end(), std::greater_equal<>()) == axis.values.end();
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
  base_ = resolve_unchecked(first, catalog);
  canonicalise(base_.config, catalog, given_);
  for (const Field* field : choices_) add_revisions(*field, std::get<std::string>(field->get(base_.config)));
  const auto is_axis = [&](const std::string& name) {
    return std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) { return axis.field->name == name; });
  };
  const bool all_paired = base_.config.seeding == "paired" && !is_axis("seeding");
  const bool seeds_agree = all_paired || (!given_.contains("data-seed") && !given_.contains("init-seed"));
  for (Axis& axis : axes_) {
    axis.only_seeds = seeds_agree && is_seed(*axis.field);
    if (!axis.only_seeds) variant_count_ *= axis.values.size();
  }
  // Two values that decide the same are one run: cuda:0 and cuda:1.
  for (const Axis& axis : axes_) {
    if (is_rising(axis)) continue;
    std::unordered_set<std::string> seen;
    RunConfig config = base_.config;
    for (const Value& value : axis.values) {
      axis.field->set(config, value);
      if (!seen.insert(to_text(axis.field->identity_value(config))).second)
        throw Error(fmt::format("{}: a value stands twice (given '{}')", origin_name(given_, axis.field->name),
                                to_text(value)));
    }
  }
}

void Plan::set_axes(RunConfig& config, std::uint64_t index, bool only_seeds) const {
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    if (axis->only_seeds || !only_seeds) axis->field->set(config, axis->values[index % axis->values.size()]);
    index /= axis->values.size();
  }
}

RunConfig Plan::at(std::uint64_t index) const {
  RunConfig config = base_.config;
  set_axes(config, index, /*only_seeds=*/false);
  derive_unset(config, given_, *catalog_);
  std::vector<std::string> revisions;
  if (!revisions_.empty())
    for (const Field* field : choices_)
      if (const auto found = revisions_.find(std::get<std::string>(field->get(config))); found != revisions_.end())
        revisions.push_back(found->second);
  set_revisions(config, revisions);
  return config;
}

std::uint64_t Plan::variant(std::uint64_t index) const {
  std::uint64_t variant = 0, stride = 1;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const std::uint64_t size = axis->values.size();
    if (!axis->only_seeds) {
      variant += index % size * stride;
      stride *= size;
    }
    index /= size;
  }
  return variant;
}

std::vector<double> Plan::costs(const std::vector<std::uint64_t>& indices) const {
  std::vector<std::optional<double>> of_variants(variant_count_);
  std::vector<double> all;
  all.reserve(indices.size());
  for (const std::uint64_t index : indices) {
    std::optional<double>& cost = of_variants[variant(index)];
    if (!cost) cost = run_cost(at(index));
    all.push_back(*cost);
  }
  return all;
}

std::vector<std::uint64_t> Plan::dearest_first(const std::vector<std::uint64_t>& indices) const {
  const std::vector<double> cost = costs(indices);
  std::vector<std::pair<double, std::uint64_t>> by_cost;
  by_cost.reserve(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) by_cost.emplace_back(-cost[i], indices[i]);
  std::sort(by_cost.begin(), by_cost.end());
  std::vector<std::uint64_t> sorted;
  sorted.reserve(indices.size());
  for (const auto& [negative, index] : by_cost) sorted.push_back(index);
  return sorted;
}

const RunConfig& PlanCursor::at(std::uint64_t index) {
  const std::uint64_t variant = plan_.variant(index);
  if (variant_ != variant) {
    config_ = plan_.at(index);
    variant_ = variant;
    return config_;
  }
  plan_.set_axes(config_, index, /*only_seeds=*/true);
  for (const Field* field : seed_fields())
    if (field->derive && !plan_.given_.contains(field->name)) field->derive(config_, *plan_.catalog_);
  return config_;
}

bool Plan::excluded(std::uint64_t index) const { return !exclusions_.empty() && matches_exclusion(at(index)); }

bool Plan::matches_exclusion(const RunConfig& config) const {
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
  std::vector<std::uint64_t> all;
  PlanCursor cursor(*this);
  for (std::uint64_t i = 0; i < grid_size_; ++i)
    if (exclusions_.empty() || !matches_exclusion(cursor.at(i))) all.push_back(i);
  if (shard.of == 1) return all;
  // Dealt like cards, the dearest first and back and forth, so that no shard gets all the large ones.
  all = dearest_first(all);
  std::vector<std::uint64_t> mine;
  const std::uint64_t shards = static_cast<std::uint64_t>(shard.of),
                      number = static_cast<std::uint64_t>(shard.number - 1);
  for (std::uint64_t place = 0; place < all.size(); ++place) {
    const std::uint64_t round = place / shards, seat = place % shards;
    if ((round % 2 == 0 ? seat : shards - 1 - seat) == number) mine.push_back(all[place]);
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
