// How a sweep shows that it goes on: a line that is rewritten on a terminal, a plain line every ten seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "cli/console.h"
#include "sweep/executor.h"

namespace posenc {

class Progress {
 public:
  Progress(Console& console, std::uint64_t total);
  ~Progress();

  void update(const std::string& last, const SweepCounts& counts);

 private:
  std::string line(const std::string& last, const SweepCounts& counts, std::size_t width) const;

  Console& console_;
  std::uint64_t total_;
  std::chrono::steady_clock::time_point begin_, shown_;
  bool on_line_ = false;  // the terminal's cursor is behind an unfinished line
};

// "under 1 s", "45 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace posenc
