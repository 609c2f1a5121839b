#include "config/lengths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/choice.h"
#include "posenc/error.h"
#include "posenc/value.h"

namespace posenc {
namespace {

constexpr std::size_t kMostLengths = 1000;
constexpr std::int64_t kMostInRange = 1'000'000;
constexpr std::int64_t kShortest = 2;

std::int64_t read_length(std::string_view text, std::string_view what) {
  return std::get<std::int64_t>(parse_value(ValueType::integer(kShortest), text, what));
}

}  // namespace

std::vector<std::int64_t> read_lengths(std::string_view text, std::string_view what) {
  std::vector<std::int64_t> lengths;
  if (text.empty()) return lengths;
  for (const std::string& piece : split(text, ',')) {
    const auto dots = piece.find("..");
    if (dots == std::string::npos) {
      lengths.push_back(read_length(piece, what));
      continue;
    }
    const LengthRange range = read_length_range(piece, what);
    if (static_cast<std::size_t>(range.count()) > kMostLengths)
      throw Error(fmt::format("{} has too many lengths (given '{}', allowed: at most {})", what, text, kMostLengths));
    for (std::int64_t i = 0; i < range.count(); ++i) lengths.push_back(range.at(i));
  }
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  if (lengths.size() > kMostLengths)
    throw Error(fmt::format("{} has too many lengths (given {} of them, allowed: at most {})", what, lengths.size(),
                            kMostLengths));
  return lengths;
}

std::string lengths_text(const std::vector<std::int64_t>& lengths) {
  return fmt::format("{}", fmt::join(lengths, ","));
}

LengthRange read_length_range(std::string_view text, std::string_view what) {
  constexpr const char* kAllowed = "shortest..longest[:step], as 2..40";
  const auto colon = text.find(':');
  const std::string_view ends = text.substr(0, colon);
  const auto dots = ends.find("..");
  if (dots == std::string_view::npos || dots == 0 || dots + 2 == ends.size())
    throw Error(fmt::format("{} is not a range of lengths (given '{}', allowed: {})", what, text, kAllowed));
  LengthRange range{read_length(ends.substr(0, dots), what), read_length(ends.substr(dots + 2), what)};
  if (range.longest < range.shortest)
    throw Error(fmt::format("{}: a range falls (given '{}', allowed: {})", what, text, kAllowed));
  if (colon != std::string_view::npos)
    range.step = std::get<std::int64_t>(
        parse_value(ValueType::integer(1), text.substr(colon + 1), fmt::format("{}: the step of {}", what, text)));
  if (range.count() > kMostInRange)
    throw Error(fmt::format("{} has too many lengths (given '{}', allowed: at most {})", what, text, kMostInRange));
  range.longest = range.at(range.count() - 1);
  return range;
}

std::string length_range_text(const LengthRange& range) {
  const std::string ends = fmt::format("{}..{}", range.shortest, range.longest);
  return range.step == 1 ? ends : fmt::format("{}:{}", ends, range.step);
}

LengthRange trained_lengths(const RunConfig& config) {
  if (config.train_len.empty()) return {config.seq_len, config.seq_len};
  return read_length_range(config.train_len, "--train-len");
}

std::vector<std::int64_t> validation_sizes(const RunConfig& config) {
  const std::int64_t lengths = trained_lengths(config).count(), more = config.val_size % lengths;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(lengths), config.val_size / lengths);
  for (std::int64_t i = 0; i < more; ++i) ++sizes[static_cast<std::size_t>(i)];
  return sizes;
}

std::int64_t steps_an_epoch(const RunConfig& config) {
  return (config.train_size + config.batch_size - 1) / config.batch_size;
}

std::int64_t steps_of_round(const RunConfig& config) {
  return config.steps > 0 ? config.log_every : steps_an_epoch(config);
}

std::int64_t steps_of(const RunConfig& config) {
  if (config.steps > 0) return config.steps;
  const double steps = static_cast<double>(config.epochs) * static_cast<double>(steps_an_epoch(config));
  return steps < static_cast<double>(kLargestInteger) ? config.epochs * steps_an_epoch(config) : kLargestInteger;
}

std::int64_t longest_evaluated(const RunConfig& config) {
  const std::vector<std::int64_t> lengths = read_lengths(config.eval_len, "--eval-len");
  return lengths.empty() ? 0 : lengths.back();
}

}  // namespace posenc
