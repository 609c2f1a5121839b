// A sweep as a grid: the product of the lists given, minus what is excluded, divided into shards.
#pragma once

#include <cstdint>
#include <map>
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

  // Places of the runs of a shard, excluded ones left out, in the order of the grid. Shards are balanced by run_cost();
  // every run is in exactly one.
  std::vector<std::uint64_t> runs(const Shard& shard) const;

  // check() on the combination at `index`; the error says which it is.
  void check_at(std::uint64_t index) const;

  // The configuration all share, an axis standing as its first value, and every option's origin.
  const Resolved& base() const { return base_; }

  // "pos=fixed, seq-len=16": the axes' values of a configuration.
  std::string describe(const RunConfig& config) const;

  // "file.toml:7" for each exclusion that names a value which no run has.
  std::vector<std::string> idle_exclusions() const;

  // One line a list: what was given, by option. Two plans with the same text are the same sweep.
  std::string definition() const;

 private:
  struct Axis {
    const Field* field;
    std::vector<Value> values;
  };
  struct Exclusion {
    std::vector<Axis> match;
    std::string where;
  };

  std::vector<Axis> axes_;
  std::vector<const Field*> choices_;             // the fields that choose entries of the catalog
  std::map<std::string, std::string> revisions_;  // by canonical text, of those that have any
  std::vector<Exclusion> exclusions_;
  Resolved base_;
  Settings given_;
  const Catalog* catalog_;
  std::uint64_t grid_size_ = 1;
};

}  // namespace posenc
