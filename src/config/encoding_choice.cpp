#include "config/encoding_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "config/lengths.h"
#include "config/resolve.h"
#include "posenc/error.h"

namespace posenc {
namespace {

// The encoding, then each wrapper.
std::vector<std::string> split_wrappers(std::string_view text) {
  std::vector<std::string> pieces = {""};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_wrapper =
        text[i] == '+' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0;
    if (starts_wrapper) {
      pieces.emplace_back();
    } else {
      pieces.back() += text[i];
    }
  }
  return pieces;
}

const char* kind_name(WrapperEntry::Kind kind) {
  return kind == WrapperEntry::Kind::positions ? "choose positions" : "scale scores";
}

std::string names_that_read_positions(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const EncodingEntry& entry : catalog.encodings)
    if (entry.reads_positions) names.push_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

EncodingChoice read_encoding_choice(std::string_view text, const Catalog& catalog, std::string_view what) {
  const std::vector<std::string> pieces = split_wrappers(text);
  const ChoiceText name = split_choice(pieces.front(), what);
  const EncodingEntry& entry = find_entry(catalog.encodings, name.name, what, "encoding");
  EncodingChoice choice{&entry, read_parameters(entry, name, what), {}};
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const ChoiceText wrapper_name = split_choice(pieces[i], what);
    const WrapperEntry& wrapper = find_entry(catalog.wrappers, wrapper_name.name, what, "wrapper");
    for (const auto& [earlier, parameters] : choice.wrappers)
      if (earlier->kind == wrapper.kind)
        throw Error(fmt::format("{}: two wrappers {} (given {} and {}, allowed: one)", what, kind_name(wrapper.kind),
                                earlier->name, wrapper.name));
    choice.wrappers.emplace_back(&wrapper, read_parameters(wrapper, wrapper_name, what));
  }
  // Entries of one table: their addresses are its order.
  std::sort(choice.wrappers.begin(), choice.wrappers.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  return choice;
}

std::string canonical_choice(const EncodingChoice& choice) {
  std::string text = canonical_choice(*choice.entry, choice.parameters);
  for (const auto& [wrapper, parameters] : choice.wrappers) text += "+" + canonical_choice(*wrapper, parameters);
  return text;
}

Symmetry symmetry_of(const EncodingChoice& choice) {
  const EncodingEntry& entry = *choice.entry;
  return entry.symmetry_of == nullptr ? entry.symmetry : entry.symmetry_of(choice.parameters);
}

std::int64_t trained_positions(const EncodingChoice& choice, const RunConfig& config) {
  if (!choice.entry->bound_to_table) return kLargestInteger;
  for (const auto& [wrapper, parameters] : choice.wrappers)
    if (wrapper->kind == WrapperEntry::Kind::positions) return wrapper->position_limit(parameters);
  return config.model_length();
}

void check_encoding(const EncodingChoice& choice, const RunConfig& config, const Catalog& catalog,
                    std::string_view what_pos, std::string_view what_length) {
  const EncodingEntry& encoding = *choice.entry;
  if (encoding.causal_only && !config.causal)
    throw Error(fmt::format("{}: {} is defined for causal attention alone (add --causal)", what_pos, encoding.name));
  if (encoding.misfit != nullptr) {
    const std::string why = encoding.misfit(encoding_sizes(config), choice.parameters);
    if (!why.empty()) throw Error(fmt::format("{}: {} {}", what_pos, encoding.name, why));
  }
  const std::int64_t length = config.model_length();
  const std::string what_seen = fmt::format("{}{}", what_length, config.bos ? " with the token of --bos" : "");
  if (encoding.bound_to_table && length > config.max_len)
    throw Error(
        fmt::format("{} is longer than the position table of {} (given {}, allowed: up to --max-len, which is {})",
                    what_seen, encoding.name, length, config.max_len));
  for (const auto& [wrapper, parameters] : choice.wrappers) {
    if (wrapper->misfit != nullptr) {
      const std::string why = wrapper->misfit(parameters);
      if (!why.empty()) throw Error(fmt::format("{}: {} {}", what_pos, wrapper->name, why));
    }
    if (wrapper->kind != WrapperEntry::Kind::positions) continue;
    const std::int64_t limit = wrapper->position_limit(parameters);
    if (!encoding.reads_positions)
      throw Error(fmt::format("{}: {} chooses positions, which {} does not read (allowed with: {})", what_pos,
                              wrapper->name, encoding.name, names_that_read_positions(catalog)));
    if (length > limit)
      throw Error(fmt::format("{} is longer than the positions of {} (given {}, allowed: up to {}, its max)", what_seen,
                              wrapper->name, length, limit));
    if (encoding.bound_to_table && limit > config.max_len)
      throw Error(
          fmt::format("{}: {} chooses positions beyond the table of {} (given max {}, allowed: up to "
                      "--max-len, which is {})",
                      what_pos, wrapper->name, encoding.name, limit, config.max_len));
  }
}

bool reaches_beyond_table(std::string_view oob) { return oob == "clamp" || oob == "interpolate"; }

void check_positions(const EncodingChoice& choice, const RunConfig& config, std::string_view what, std::int64_t longest,
                     std::int64_t trained, bool table_grows) {
  const EncodingEntry& encoding = *choice.entry;
  const std::int64_t seen = config.model_length(longest), bos = config.model_length(0);
  if (encoding.bound_to_table && reaches_beyond_table(config.oob)) return;
  if (seen > trained && config.oob == "error")
    throw Error(fmt::format(
        "{} goes beyond the positions that the table of {} is trained for (given {}, allowed: up to {}, or "
        "--oob clamp, interpolate{})",
        what, encoding.name, longest, trained - bos, table_grows || seen <= config.max_len ? ", untrained" : ""));
  for (const auto& [wrapper, parameters] : choice.wrappers) {
    if (wrapper->kind != WrapperEntry::Kind::positions) continue;
    if (const std::int64_t limit = wrapper->position_limit(parameters); seen > limit)
      throw Error(fmt::format("{} goes beyond the positions of {} (given {}, allowed: up to {}, its max)", what,
                              wrapper->name, longest, limit - bos));
  }
  if (seen > config.max_len && encoding.bound_to_table)
    throw Error(
        fmt::format("{} goes beyond the table of {} (given {}, allowed: up to {}, which is --max-len{}, or "
                    "--oob clamp, interpolate)",
                    what, encoding.name, longest, config.max_len - bos, config.bos ? " less the token of --bos" : ""));
}

}  // namespace posenc
