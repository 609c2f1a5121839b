// What can be chosen by name: the tables of encodings, tasks and the like as the configuration and the help see them. No
// torch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/value.h"

namespace posenc {

class Encoding;  // posenc/encoding.h, which needs torch
class Wrapper;   // posenc/wrapper.h, likewise
class Task;      // posenc/task.h
class Curriculum;
struct LengthRange;

struct ParameterSpec {
  std::string key;
  ValueType type;
  Value fallback;  // the default
  std::string help;
};

// The parameters of one chosen encoding or task: every key of its table, given or default.
class Parameters {
 public:
  void set(const std::string& key, Value value) { values_[key] = std::move(value); }
  const Value& at(const std::string& key) const { return values_.at(key); }
  bool flag(const std::string& key) const { return std::get<bool>(at(key)); }
  std::int64_t integer(const std::string& key) const { return std::get<std::int64_t>(at(key)); }
  double real(const std::string& key) const { return std::get<double>(at(key)); }
  const std::string& text(const std::string& key) const { return std::get<std::string>(at(key)); }

 private:
  std::map<std::string, Value> values_;
};

struct CatalogEntry {
  std::string name;
  std::string formula;  // one line
  std::string source;   // paper or document
  std::vector<ParameterSpec> parameters = {};
  // Rises when runs with the entry compute something else than they did in an earlier release, which gives them another
  // run id. Null: 1, as first published.
  std::int64_t (*revision)(const Parameters&) = nullptr;
};

// The sizes that an encoding is built for.
struct EncodingSizes {
  std::int64_t d_model = 32;
  std::int64_t heads = 4;
  std::int64_t layers = 1;
  std::int64_t max_len = 16;  // rows of a trained table
  bool causal = false;        // a position sees none after it
  std::int64_t head_width() const { return d_model / heads; }
};

enum class EncodingWeights { none, shared, per_layer };  // trained weights: none, one set for all layers, one a layer

// Which changes of order a two-sided transformer with the encoding cannot see but by where it pools.
enum class Symmetry { none, reversal, permutation };

struct EncodingEntry : CatalogEntry {
  EncodingWeights weights = EncodingWeights::none;
  bool bound_to_table = false;  // one trained row a position: no position at or beyond max_len
  bool causal_only = false;     // needs --causal
  bool reads_positions = true;  // false: only the order of the tokens counts, or nothing
  bool relative = false;        // the same when all positions are shifted alike
  Symmetry symmetry = Symmetry::none;
  // Where the parameters decide it; null: they do not.
  Symmetry (*symmetry_of)(const Parameters&) = nullptr;
  // Why the encoding cannot be built for these sizes, as "needs ... (given ..., allowed: ...)", or "".
  std::string (*misfit)(const EncodingSizes&, const Parameters&) = nullptr;
  // Number of trained scalars, without building the encoding.
  double (*parameter_count)(const EncodingSizes&, const Parameters&) = nullptr;
  // Floats that a training step on `batch` sequences of `length` tokens holds for the encoding at once, beside its
  // trained scalars: what it adds to scores is counted elsewhere. About, for the memory check; null: few.
  double (*floats_held)(const EncodingSizes&, const Parameters&, double batch, double length) = nullptr;
  std::shared_ptr<Encoding> (*make)(const EncodingSizes&, const Parameters&) = nullptr;
};

// What combines with an encoding: written behind it as +NAME[:key=value,...], at most one of each kind.
struct WrapperEntry : CatalogEntry {
  enum class Kind { positions, scores };  // chooses the tokens' positions, or scales q.k / sqrt(d)

  Kind kind = Kind::positions;
  // Kind::positions: positions lie in 0..limit-1, so no sequence may be longer nor a position table shorter.
  std::int64_t (*position_limit)(const Parameters&) = nullptr;
  // Kind::positions: whether evaluation takes positions that rise by one; null: it does.
  bool (*evaluates_evenly)(const Parameters&) = nullptr;
  // Why these parameters make no sense together, as "needs ... (given ..., allowed: ...)", or "".
  std::string (*misfit)(const Parameters&) = nullptr;
  std::shared_ptr<Wrapper> (*make)(const Parameters&) = nullptr;
};

struct TaskEntry : CatalogEntry {
  std::int64_t vocab = 0;   // the one vocabulary that it is defined for, then the default of --vocab; 0: any
  bool odd_length = false;  // only odd lengths
  bool balanced = false;    // every class is drawn as often as any other; otherwise tokens are independent
  std::int64_t (*least_length)(const Parameters&) = nullptr;  // null: 2
  std::int64_t (*least_vocab)(const Parameters&) = nullptr;   // null: 2
  std::unique_ptr<Task> (*make)(const Parameters&) = nullptr;
  // The label once more, slowly and in other words, for checking: written from the formula, not from make()'s class.
  std::int64_t (*definition)(const Parameters&, const std::vector<std::int64_t>& tokens) = nullptr;
};

// How the learning rate changes over a run: --schedule.
struct ScheduleEntry : CatalogEntry {
  // The factor of --lr at step `step`, from 0, of a run of `steps` steps.
  double (*factor)(std::int64_t step, std::int64_t steps, const Parameters&) = nullptr;
  // Why a run of `steps` steps cannot have it, as "needs ... (given ..., allowed: ...)", or ""; null: any can.
  std::string (*misfit)(std::int64_t steps, const Parameters&) = nullptr;
};

// Which length a training step has where a run trains on several: --curriculum.
struct CurriculumEntry : CatalogEntry {
  std::unique_ptr<Curriculum> (*make)(const Parameters&, const LengthRange&) = nullptr;
};

// Of curricula the first is the default, which decides nothing where a run trains on one length.
struct Catalog {
  std::vector<EncodingEntry> encodings;
  std::vector<WrapperEntry> wrappers;
  std::vector<TaskEntry> tasks;
  std::vector<ScheduleEntry> schedules;
  std::vector<CurriculumEntry> curricula;
};

// The catalog of this build: every line of encodings.def, wrappers.def, tasks.def, schedules.def and curricula.def.
const Catalog& catalog();

}  // namespace posenc
