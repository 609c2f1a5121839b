#include "cli/progress.h"

#include <cmath>
#include <vector>

namespace posenc {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

ProgressLine::~ProgressLine() {
  if (on_line_) console_.end_line();
}

bool ProgressLine::due() const {
  constexpr double kOnTerminal = 0.1, kElsewhere = 10;  // seconds
  return seconds_between(shown_, Clock::now()) >= (console_.is_terminal() ? kOnTerminal : kElsewhere);
}

std::size_t ProgressLine::width() const { return console_.is_terminal() ? console_.width() : std::string::npos; }

void ProgressLine::show(const std::string& text) {
  if (console_.is_terminal()) {
    console_.rewrite_line(text);
    on_line_ = true;
  } else {
    console_.say("{}", text);
  }
  shown_ = Clock::now();
}

void PlanningProgress::step() {
  constexpr std::uint64_t kStride = 64;  // asking the clock takes as long as a run of a million seeds
  if (++done_ % kStride == 0 && line_.due()) line_.show(fmt::format("{} {} of {} runs", what_, done_, total_));
}

Progress::Progress(Console& console, std::uint64_t total) : line_(console), total_(total), begin_(Clock::now()) {
  if (console.is_terminal()) line_.show(text("", {}));
}

void Progress::update(const std::string& last, const SweepCounts& counts) {
  if (line_.due() || counts.done() == total_) line_.show(text(last, counts));
}

std::string Progress::text(const std::string& last, const SweepCounts& counts) const {
  const double elapsed = seconds_between(begin_, Clock::now());
  const double rate = static_cast<double>(counts.done()) / elapsed;
  const std::uint64_t bad = counts.failed + counts.diverged;
  // From the left what matters most; what does not fit is left out whole.
  const std::size_t width = line_.width();
  std::string text = fmt::format("{}/{} runs", counts.done(), total_);
  std::vector<std::string> rest;
  if (bad > 0) rest.push_back(fmt::format(", {} failed or diverged", bad));
  if (counts.done() > 0) {
    if (const std::uint64_t left = total_ - counts.done(); left > 0)
      rest.push_back(fmt::format(", {} left", duration_text(static_cast<double>(left) / rate)));
    rest.push_back(rate * 60 < 10 ? fmt::format(", {:.1f} a minute", rate * 60)
                                  : fmt::format(", {:.0f} a minute", rate * 60));
  }
  if (!last.empty()) rest.push_back("; last: " + last);
  for (const std::string& piece : rest) {
    if (text.size() + piece.size() > width) break;
    text += piece;
  }
  return text;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, std::min(seconds, 1e12))));
  if (whole < 1) return "under 1 s";
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  if (whole < 48 * 3600) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
  return fmt::format("{} days", whole / 86400);
}

}  // namespace posenc
