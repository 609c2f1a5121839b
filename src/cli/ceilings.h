// What is said of a ceiling before anything is trained.
#pragma once

#include <functional>
#include <string>

#include "cli/console.h"
#include "posenc/bounds.h"
#include "posenc/run.h"

namespace posenc {

// "ceiling 0.5305: permutation" where something bounds the model; "" otherwise.
std::string ceiling_text(const Bounds& bounds);

// What bounds the run, as its result keeps it; counted where an older release kept none.
Bounds bounds_of(const RunConfig& config, const RunResult& result);

// Says on stderr what bounds a model of `config`, if anything does.
void say_ceiling(const RunConfig& config, Console& console);

// Says on stderr how many of `count` runs, configured by `config_at`, cannot be told from guessing, if any, and names
// one.
void say_hopeless(std::uint64_t count, const std::function<RunConfig(std::uint64_t)>& config_at, Console& console);

}  // namespace posenc
