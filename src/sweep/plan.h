// A sweep as a grid: the product of the lists given, minus what is excluded, divided into shards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/resolve.h"
#include "posenc/catalog.h"

namespace posenc {

// The values in a list such as "8,16,32", "0..31", "0..100:10" (ends included) or "learnable:std=0.1,fixed".
// Throws Error: an empty list, a range that falls or is no range of integers, a value that is not the field's.
std::vector<Value> parse_list(const Field& field, const std::string& text, const std::string& what);

struct Shard {
  std::int64_t number = 1, of = 1;  // number 1..of
};

// "2/8". Throws Error.
Shard parse_shard(const std::string& text);

class Plan {
 public:
  // Throws Error as resolve() does for the first combination; a value that stands twice; a list where none may be.
  Plan(const SweepSettings& given, const Catalog& catalog);

  std::uint64_t grid_size() const { return grid_size_; }  // with the excluded ones

  bool excluded(std::uint64_t index) const;

  // The combination of that place in the grid: the last field of the table varies fastest. Not checked.
  RunConfig at(std::uint64_t index) const;

  // Which combination of all but seeds the run has, from 0. Runs of one variant have the same cost, need the same memory
  // and pass the same checks, so that a sweep over a million seeds is planned as one run. Where seeds themselves may be
  // inconsistent, as --data-seed without --seeding paired, each run is a variant.
  std::uint64_t variant(std::uint64_t index) const;
  std::uint64_t variant_count() const { return variant_count_; }

  // run_cost() of the runs at `indices`.
  std::vector<double> costs(const std::vector<std::uint64_t>& indices) const;

  // `indices` by falling cost, those of one cost in the order of the grid.
  std::vector<std::uint64_t> dearest_first(const std::vector<std::uint64_t>& indices) const;

  // Places of the runs of a shard, excluded ones left out, in the order of the grid. Shards are balanced by run_cost();
  // every run is in exactly one.
  std::vector<std::uint64_t> runs(const Shard& shard) const;

  // check() on the combination at `index`; the error says which it is.
  void check_at(std::uint64_t index) const;

  const Catalog& catalog() const { return *catalog_; }

  // The configuration all share, an axis standing as its first value, and every option's origin.
  const Resolved& base() const { return base_; }

  // "pos=fixed, seq-len=16": the axes' values of a configuration.
  std::string describe(const RunConfig& config) const;

  // "file.toml:7" for each exclusion that names a value which no run has.
  std::vector<std::string> idle_exclusions() const;

  // One line a list: what was given, by option. Two plans with the same text are the same sweep.
  std::string definition() const;

 private:
  friend class PlanCursor;

  struct Axis {
    const Field* field;
    std::vector<Value> values;
    bool only_seeds = false;  // its values do not make variants
  };
  struct Exclusion {
    std::vector<Axis> match;
    std::string where;
  };

  static bool is_rising(const Axis& axis);
  bool matches_exclusion(const RunConfig& config) const;
  void set_axes(RunConfig& config, std::uint64_t index, bool only_seeds) const;

  std::vector<Axis> axes_;
  std::vector<const Field*> choices_;             // the fields that choose entries of the catalog
  std::map<std::string, std::string> revisions_;  // by canonical text, of those that have any
  std::vector<Exclusion> exclusions_;
  Resolved base_;
  Settings given_;
  const Catalog* catalog_;
  std::uint64_t grid_size_ = 1, variant_count_ = 1;
};

// Reads the runs of a plan one after the other, fast where they are of one variant.
class PlanCursor {
 public:
  explicit PlanCursor(const Plan& plan) : plan_(plan) {}

  // Plan::at(index); valid until the next call.
  const RunConfig& at(std::uint64_t index);

 private:
  const Plan& plan_;
  std::optional<std::uint64_t> variant_;  // of config_
  RunConfig config_;
};

}  // namespace posenc
