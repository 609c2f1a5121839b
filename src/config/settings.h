// Options as they were given, each with where it came from, before anything is read as a number.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace posenc {

struct Origin {
  enum class Source { fallback, file, environment, flag };

  Source source = Source::fallback;
  std::string where;  // "configs/smoke.toml:3", "POSENC_DEVICE", "--seed"; "" for a default

  // What an error calls the option: where it was given, and its name where that is not said by it.
  std::string describe(const std::string& field) const;
};

struct Setting {
  std::string text;
  Origin origin;
};

using Settings = std::map<std::string, Setting>;  // by field name

struct Field;

// "default", "default, from seq-len", or where it was given.
std::string origin_text(const Field& field, const Origin& origin);

// Settings whose texts may be lists, as a sweep takes them, and combinations to leave out of their product.
struct SweepSettings {
  Settings settings;
  std::vector<Settings> exclusions;  // each: leave out the runs that match all of these
};

// The settings in a TOML file, whose keys are field names. An array becomes the list that a flag would have.
// Throws Error with file and line: unreadable, not TOML, an unknown key, a value of another type.
SweepSettings read_sweep_toml(const std::string& path);

// The same where lists make no sense; the error says which command takes them.
Settings read_toml(const std::string& path);

// The settings in the environment variables that the field table names; an empty one counts as not set.
Settings read_environment();

// Adds what `lower` gives and `settings` does not, in the same words or in others: a flag --train-len beats a file's
// seq-len.
void merge_below(Settings& settings, const Settings& lower);

// Flag beats environment beats file beats default; a file is read where `flags` has `config`.
Settings gather(const Settings& flags);
SweepSettings gather_sweep(const Settings& flags);

}  // namespace posenc
