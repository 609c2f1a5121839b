#include "cli/ceilings.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace posenc {

std::string ceiling_text(const Bounds& bounds) {
  if (bounds.reason.empty() || (bounds.ceiling && *bounds.ceiling >= 1)) return "";
  if (!bounds.ceiling) return fmt::format("ceiling not counted: {}", bounds.reason);
  return fmt::format("ceiling {:.4f}: {}", *bounds.ceiling, bounds.reason);
}

Bounds bounds_of(const RunConfig& config, const RunResult& result) {
  return result.bounds ? *result.bounds : bounds_of(config, catalog());
}

void say_ceiling(const RunConfig& config, Console& console) {
  const Bounds bounds = bounds_of(config, catalog());
  const std::string text = ceiling_text(bounds);
  if (text.empty()) return;
  if (!bounds.ceiling) {
    console.say("note: {} on {}: {}; {}.", config.pos, config.task, text,
                config.holdout_pairs > 0 ? "pairs that are held out change it" : "the task does not count it");
  } else if (bounds.hopeless()) {
    console.say(
        "warning: {} on {} cannot be told from guessing here: {}; guessing gives {:.4f} to {:.4f} on a validation set "
        "of {} (95 %).",
        config.pos, config.task, text, bounds.guess_lower, bounds.guess_upper, config.val_size);
  } else {
    console.say("note: {} on {}: {}; no model of this kind is right more often.", config.pos, config.task, text);
  }
}

void say_hopeless(std::uint64_t count, const std::function<RunConfig(std::uint64_t)>& config_at, Console& console) {
  constexpr std::uint64_t kMost = 100'000;  // of a longer plan the first
  // What bounds depend on, of which a sweep over seeds has few.
  std::map<std::tuple<std::string, std::string, bool, bool, std::string, bool, std::string, bool, std::int64_t,
                      std::int64_t, std::int64_t>,
           bool>
      known;
  std::uint64_t hopeless = 0;
  std::string example;
  for (std::uint64_t i = 0; i < std::min(count, kMost); ++i) {
    const RunConfig config = config_at(i);
    const auto [place, is_new] =
        known.try_emplace({config.pos, config.task, config.causal, config.bos, config.pool, config.layers == 1,
                           config.train_len, config.holdout_pairs > 0, config.seq_len, config.vocab, config.val_size});
    if (is_new) {
      const Bounds bounds = bounds_of(config, catalog());
      place->second = bounds.hopeless();
      if (bounds.hopeless() && example.empty())
        example =
            fmt::format("{} on {} at length {} ({})", config.pos, config.task, config.seq_len, ceiling_text(bounds));
    }
    hopeless += place->second ? 1 : 0;
  }
  if (hopeless > 0) console.say("warning: {} of {} runs cannot be told from guessing, as {}", hopeless, count, example);
}

}  // namespace posenc
