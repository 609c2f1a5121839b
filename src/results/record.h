// One run as a line of runs.jsonl: what was run, what came of it, and a checksum.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "posenc/run.h"

namespace posenc {

// What may differ between two repeats of a run.
struct Execution {
  std::string started;  // UTC, ISO 8601
  std::string host;
  double seconds = 0;
  std::int64_t peak_memory = 0;  // bytes, of the whole process
  std::string engine;            // what computed the layers
};

struct RunRecord {
  std::string run_id;  // as run_id() writes it, whatever the line has
  RunConfig config;
  RunResult result;
  Execution execution;
  // An earlier release made some ids of values that decide nothing, too, which Field::identity_value() leaves out.
  bool id_of_all_values = false;
};

// {"schema":2,"run_id":...,"status":...,"message":...,"config":{...},"curve":{...},"labels":{...},"bounds":{...},
// "execution":{...},"crc":"..."},
// numbers in the shortest form that reads back exactly, null for what is not finite, no line break.
std::string to_line(const RunRecord& record);

// Why a line holds no record that this release can read.
struct LineFault {
  enum class Kind {
    damaged,        // nothing that a release wrote
    other_release,  // whole, but of another schema, or with an option, a choice or a result that this one does not know
  };
  Kind kind = Kind::damaged;
  std::string why;
};

// The record in `line`, or why there is none: its checksum, a value that is not of its type and range, a run id that is
// not that of its configuration. An option that the line lacks, since its release had none, has its default.
std::variant<RunRecord, LineFault> from_line(std::string_view line, const Catalog& catalog);

// "finished", "diverged" or "failed"
const char* status_name(RunResult::Status status);

// score_of() for the lengths that the run was trained on.
LengthScore length_score(const RunRecord& record);

// The execution of a run that took `seconds` and ends now.
Execution execution_now(double seconds, const std::string& engine);

// "2026-11-29T14:03:07Z"
std::string utc_now();

std::string host_name();

}  // namespace posenc
