#include "checkpoint/wrapped_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "checkpoint/printable.h"

namespace posenc {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWrappers = {{
    {"_orig_mod.", "torch.compile"},
    {"module.", "DataParallel or DistributedDataParallel"},
    {"_fsdp_wrapped_module.", "FullyShardedDataParallel"},
    {"_checkpoint_wrapped_module.", "activation checkpointing"},
}};

// Where `part` ("module.") stands in `name` as whole components, or npos.
std::size_t find_part(std::string_view name, std::string_view part) {
  std::size_t at = name.find(part);
  while (at != std::string_view::npos && at != 0 && name[at - 1] != '.') at = name.find(part, at + 1);
  return at;
}

// The part that `name` has and one of `missing` has not: "module." of "module.a.weight" beside "a.weight".
std::string added_part(const std::set<std::string>& missing, const std::string& name) {
  for (std::size_t begin = 0; begin != std::string::npos;
       begin = name.find('.', begin) == std::string::npos ? std::string::npos : name.find('.', begin) + 1)
    for (std::size_t dot = name.find('.', begin); dot != std::string::npos; dot = name.find('.', dot + 1))
      if (missing.contains(name.substr(0, begin) + name.substr(dot + 1))) return name.substr(begin, dot + 1 - begin);
  return "";
}

}  // namespace

std::string explain_wrapped_names(const std::vector<std::string>& missing, const std::vector<std::string>& surplus) {
  if (surplus.empty()) return "";
  const std::string part = added_part({missing.begin(), missing.end()}, surplus.front());
  const auto has_part = [&](const std::string& name) { return find_part(name, part) != std::string_view::npos; };
  if (part.empty() || !std::all_of(surplus.begin(), surplus.end(), has_part)) return "";
  const bool in_front = std::all_of(surplus.begin(), surplus.end(), [&](const auto& n) { return n.starts_with(part); });
  const auto* wrapper =
      std::find_if(kWrappers.begin(), kWrappers.end(), [&](const auto& known) { return known.first == part; });
  const std::string shown = printable(part);
  return fmt::format(
      "its tensors' names have '{0}' {1}{2} (remove it in Python: {{name.replace('{0}', ''): tensor for name, tensor "
      "in "
      "state.items()}})",
      shown, in_front ? "in front" : "in them",
      wrapper == kWrappers.end() ? "" : fmt::format(", which {} adds", wrapper->second));
}

}  // namespace posenc
