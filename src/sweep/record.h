// One run as a line of runs.jsonl: what was run, what came of it, and a checksum.
#pragma once

#include <string>
#include <string_view>

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
};

// {"schema":2,"run_id":...,"status":...,"message":...,"config":{...},"curve":{...},"labels":{...},"bounds":{...},
// "execution":{...},"crc":"..."},
// numbers in the shortest form that reads back exactly, null for what is not finite, no line break.
std::string to_line(const RunRecord& record);

// The record in `line`. Throws Error: a checksum that does not match, a field that has no legal value, another schema.
// An option that the line lacks, since its release had none, has its default.
RunRecord from_line(std::string_view line);

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
