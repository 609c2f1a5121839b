// How a sweep shows that it goes on: a line that is rewritten on a terminal, a plain line every ten seconds elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "cli/console.h"
#include "sweep/executor.h"

namespace posenc {

// When and where progress is shown.
class ProgressLine {
 public:
  explicit ProgressLine(Console& console) : console_(console), shown_(std::chrono::steady_clock::now()) {}
  ~ProgressLine();  // ends the terminal's line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const;           // the last was long enough ago
  std::size_t width() const;  // how long a line may be
  void show(const std::string& text);

 private:
  Console& console_;
  std::chrono::steady_clock::time_point shown_;
  bool on_line_ = false;  // the terminal's cursor is behind an unfinished line
};

// Of work on a plan before anything is trained, which only takes long where the plan does.
class PlanningProgress {
 public:
  // `what` stands before the numbers: "checked".
  PlanningProgress(Console& console, std::string what, std::uint64_t total)
      : line_(console), what_(std::move(what)), total_(total) {}

  void step();  // one run more is done

 private:
  ProgressLine line_;
  const std::string what_;
  const std::uint64_t total_;
  std::uint64_t done_ = 0;
};

class Progress {
 public:
  Progress(Console& console, std::uint64_t total);

  void update(const std::string& last, const SweepCounts& counts);

 private:
  std::string text(const std::string& last, const SweepCounts& counts) const;

  ProgressLine line_;
  std::uint64_t total_;
  std::chrono::steady_clock::time_point begin_;
};

// "under 1 s", "45 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace posenc
