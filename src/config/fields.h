// The table of options. It is the only list of them: flags, TOML keys, environment variables, --help and
// `posenc config` are all made from it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/run_config.h"
#include "posenc/value.h"

namespace posenc {

inline constexpr const char* kModelGroup = "Position encoding and model";
inline constexpr const char* kDataGroup = "Task and data";
inline constexpr const char* kTrainingGroup = "Training";
inline constexpr const char* kEvaluationGroup = "Evaluation after training";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kMachineGroup = "Machine";  // how a run is computed rather than what

struct Field {
  using Member = std::variant<bool RunConfig::*, std::int64_t RunConfig::*, double RunConfig::*,
                              std::string RunConfig::*, std::optional<double> RunConfig::*>;

  std::string name;  // "seq-len": the flag without its dashes, and the TOML key
  std::string group;
  std::string placeholder;  // what --help writes for the value; "" for a switch
  std::string help;
  ValueType type;
  Member member;
  bool identity = true;  // part of what the run computes, not of how it is shown
  std::function<Value(const RunConfig&)> identity_of = nullptr;  // what of the value decides, if not all of it
  std::string environment = {};                                  // variable that sets it, if any
  bool in_file = true;                                           // may stand in a TOML file
  bool is_list = false;    // its value is a list, so that a sweep separates values by ';'
  bool is_choice = false;  // NAME[:key=value,...], whose lists split_choices() splits
  std::string instead_of =
      {};                  // the field that says the same in other words, and follows from this one where it is set
  std::string needs = {};  // the field without which this one says nothing
  std::string derived_text = {};  // what --help says of a default that follows from other fields,
  std::function<void(RunConfig&, const Catalog&)> derive = nullptr;  // and how it follows

  Value get(const RunConfig& config) const;
  void set(RunConfig& config, const Value& value) const;
  // The default, which may follow from other fields of `config` and from the entries that they choose.
  Value default_value(const RunConfig& config, const Catalog& catalog) const;
  Value identity_value(const RunConfig& config) const;
  std::string default_text() const;  // "" when there is none
};

const std::vector<Field>& fields();

// What a run's identity is made of: the options that decide what is computed, and RunConfig::revisions, which is no
// option. In the order of the table.
const std::vector<const Field*>& identity_fields();

const Field* find_field(std::string_view name);

std::vector<std::string> field_names();

// The field that stands in place of this one, or nullptr where there is none such.
const Field* alternative_to(const Field& field);

// Whether `config` says in other words what `field` does, so that `field` follows.
bool is_displaced(const Field& field, const RunConfig& config);

}  // namespace posenc
