#include "tools/encodings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "config/encoding_choice.h"
#include "plot/table.h"
#include "tools/catalog_parts.h"

namespace posenc {
namespace {

const char* weights_text(EncodingWeights weights) {
  switch (weights) {
    case EncodingWeights::none:
      return "none";
    case EncodingWeights::shared:
      return "shared";
    case EncodingWeights::per_layer:
      break;
  }
  return "per layer";
}

// At its default parameters; "" where it can be built.
std::string why_not(const EncodingEntry& entry, const EncodingSizes& sizes) {
  if (entry.causal_only && !sizes.causal) return "needs --causal";
  return entry.misfit == nullptr ? "" : entry.misfit(sizes, defaults_of(entry));
}

Symmetry default_symmetry(const EncodingEntry& entry) { return symmetry_of({&entry, defaults_of(entry), {}}); }

const char* symmetry_text(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::reversal:
      return "reversal";
    case Symmetry::permutation:
      return "permutation";
    case Symmetry::none:
      break;
  }
  return "none";
}

std::vector<std::string> traits(const EncodingEntry& entry) {
  std::vector<std::string> all;
  all.emplace_back(entry.causal_only ? "causal attention alone" : "two-sided or causal");
  if (entry.bound_to_table) all.emplace_back("bound to a table of --max-len rows");
  if (!entry.reads_positions) all.emplace_back("reads no positions");
  if (entry.relative) all.emplace_back("unchanged when all positions shift alike");
  if (const Symmetry symmetry = default_symmetry(entry); symmetry != Symmetry::none)
    all.push_back(fmt::format("two-sided, blind to {}", symmetry_text(symmetry)));
  if (entry.weights != EncodingWeights::none)
    all.push_back(
        fmt::format("weights {}", entry.weights == EncodingWeights::shared ? "shared by layers" : "per layer"));
  return all;
}

}  // namespace

std::string encodings_text(const Catalog& catalog, const EncodingSizes& sizes) {
  std::string text = fmt::format(
      "Position encodings (--pos NAME[:key=value,...]); trained numbers at d-model {}, heads {}, layers {}, max-len "
      "{}{}\n",
      sizes.d_model, sizes.heads, sizes.layers, sizes.max_len, sizes.causal ? ", causal" : "");
  for (const EncodingEntry& entry : catalog.encodings) {
    text += "\n" + entry_text(entry);
    const std::string why = why_not(entry, sizes);
    text += fmt::format("    {}; {}\n", fmt::join(traits(entry), "; "),
                        why.empty()
                            ? fmt::format("{:.0f} trained numbers", entry.parameter_count(sizes, defaults_of(entry)))
                            : "here it " + why);
  }
  text +=
      "\nWrappers (--pos NAME[...]+WRAPPER[:key=value,...]), at most one that chooses positions and one that scales "
      "scores\n";
  for (const WrapperEntry& entry : catalog.wrappers) text += "\n" + entry_text(entry);
  text.pop_back();
  return text;
}

nlohmann::ordered_json encodings_json(const Catalog& catalog, const EncodingSizes& sizes) {
  auto encodings = nlohmann::ordered_json::array(), wrappers = nlohmann::ordered_json::array();
  for (const EncodingEntry& entry : catalog.encodings) {
    const std::string why = why_not(entry, sizes);
    auto object = entry_json(entry);
    object["causal_only"] = entry.causal_only;
    object["bound_to_table"] = entry.bound_to_table;
    object["reads_positions"] = entry.reads_positions;
    object["relative"] = entry.relative;
    object["symmetry"] = symmetry_text(default_symmetry(entry));
    object["weights"] = weights_text(entry.weights);
    object["trained_numbers"] =
        why.empty()
            ? nlohmann::ordered_json(static_cast<std::int64_t>(entry.parameter_count(sizes, defaults_of(entry))))
            : nlohmann::ordered_json(nullptr);
    object["misfit"] = why.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(why);
    encodings.push_back(object);
  }
  for (const WrapperEntry& entry : catalog.wrappers) {
    auto object = entry_json(entry);
    object["kind"] = entry.kind == WrapperEntry::Kind::positions ? "positions" : "scores";
    wrappers.push_back(object);
  }
  return {{"encodings", encodings}, {"wrappers", wrappers}};
}

std::string encodings_markdown(const Catalog& catalog) {
  std::string text =
      "| `--pos` | what it does | parameters | weights | attention | source |\n|---|---|---|---|---|---|\n";
  for (const EncodingEntry& entry : catalog.encodings)
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", entry.name, markdown_cell(entry.formula),
                        parameters_cell(entry), weights_text(entry.weights), entry.causal_only ? "causal" : "any",
                        entry.source);
  text += "\n| wrapper | what it does | parameters | source |\n|---|---|---|---|\n";
  for (const WrapperEntry& entry : catalog.wrappers)
    text += fmt::format("| `+{}` | {} | {} | {} |\n", entry.name, markdown_cell(entry.formula), parameters_cell(entry),
                        entry.source);
  text.pop_back();
  return text;
}

}  // namespace posenc
