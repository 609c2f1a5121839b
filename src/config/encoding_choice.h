// --pos read in full: an encoding, its parameters, and the wrappers behind it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/choice.h"
#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

struct EncodingChoice {
  const EncodingEntry* entry;  // of the catalog that it was read with, as the wrappers'
  Parameters parameters;
  std::vector<std::pair<const WrapperEntry*, Parameters>> wrappers;  // in the order of the table
};

// Reads NAME[:key=value,...][+WRAPPER[:key=value,...]]...; `what` names the option. A '+' starts a wrapper where a
// letter follows, so that base=1e+4 stays a number.
// Throws Error: not of the grammar, an unknown name, key or value, two wrappers of a kind.
EncodingChoice read_encoding_choice(std::string_view text, const Catalog& catalog, std::string_view what);

// The one way to write it.
std::string canonical_choice(const EncodingChoice& choice);

// Which changes of order a two-sided transformer with it cannot see; wrappers change none of that.
Symmetry symmetry_of(const EncodingChoice& choice);

// How many positions, from 0, a trained table has met when training ends: those of the longest sequence, or all that a
// wrapper draws from. The greatest integer for an encoding that is bound to no table.
std::int64_t trained_positions(const EncodingChoice& choice, const RunConfig& config);

// Throws Error when the encoding cannot be built for `config`, cannot take one of its wrappers, or would meet positions
// beyond its table in training. `what_pos` and `what_length` name the options.
void check_encoding(const EncodingChoice& choice, const RunConfig& config, const Catalog& catalog,
                    std::string_view what_pos, std::string_view what_length);

// Whether `oob` gives positions beyond a table something that was trained.
bool reaches_beyond_table(std::string_view oob);

// Throws Error when sequences of `longest` tokens, which `what` names, have positions that the encoding was not trained
// for, and --oob does not say what takes their place. `trained`: as trained_positions(). `table_grows`: --max-len
// follows from the lengths rather than being given.
void check_positions(const EncodingChoice& choice, const RunConfig& config, std::string_view what, std::int64_t longest,
                     std::int64_t trained, bool table_grows);

}  // namespace posenc
