// Lengths of sequences as options write them: lists with ranges, and one range.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/run_config.h"

namespace posenc {

// "8,16,32,64..512:64" -> rising, each once; both ends of a range belong to it. `what` names the option. Throws Error:
// not of the grammar, a range that falls, a length below 2, more than 1,000 lengths. "" is none.
std::vector<std::int64_t> read_lengths(std::string_view text, std::string_view what);

// "8,16,32": the one way to write them.
std::string lengths_text(const std::vector<std::int64_t>& lengths);

// shortest, shortest + step, ..., longest.
struct LengthRange {
  std::int64_t shortest, longest, step = 1;

  std::int64_t count() const { return (longest - shortest) / step + 1; }
  std::int64_t at(std::int64_t i) const { return shortest + i * step; }
  bool contains(std::int64_t length) const {
    return length >= shortest && length <= longest && (length - shortest) % step == 0;
  }
};

// "2..40", or "3..41:2" for every second of them; what the last step would pass is left out. Throws Error: not of the
// grammar, a range that falls, a length below 2, a step below 1, more than 1,000,000 lengths.
LengthRange read_length_range(std::string_view text, std::string_view what);

// "2..40", "3..41:2": the one way to write it.
std::string length_range_text(const LengthRange& range);

// The lengths that a run of `config` trains on: --train-len, or --seq-len alone.
LengthRange trained_lengths(const RunConfig& config);

// How many of --val-size sequences validation has at each trained length, the shortest first: spread evenly.
std::vector<std::int64_t> validation_sizes(const RunConfig& config);

// Steps that --train-size sequences make.
std::int64_t steps_an_epoch(const RunConfig& config);

// Steps from one validation to the next: an epoch's, or --log-every where --steps counts.
std::int64_t steps_of_round(const RunConfig& config);

// All steps of a run; at most kLargestInteger is said.
std::int64_t steps_of(const RunConfig& config);

// The greatest of --eval-len; 0 where there is none.
std::int64_t longest_evaluated(const RunConfig& config);

}  // namespace posenc
