#include "report/catalog_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "config/choice.h"
#include "report/json.h"

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

Parameters defaults_of(const CatalogEntry& entry) { return read_parameters(entry, {entry.name, {}}, entry.name); }

// At its default parameters; "" where it can be built.
std::string why_not(const EncodingEntry& entry, const EncodingSizes& sizes) {
  if (entry.causal_only && !sizes.causal) return "needs --causal";
  return entry.misfit == nullptr ? "" : entry.misfit(sizes, defaults_of(entry));
}

std::vector<std::string> traits(const EncodingEntry& entry) {
  std::vector<std::string> all;
  all.emplace_back(entry.causal_only ? "causal attention alone" : "two-sided or causal");
  if (entry.bound_to_table) all.emplace_back("bound to a table of --max-len rows");
  if (!entry.reads_positions) all.emplace_back("reads no positions");
  if (entry.relative) all.emplace_back("unchanged when all positions shift alike");
  if (entry.reversal_symmetric) all.emplace_back("two-sided, blind to reversal");
  if (entry.weights != EncodingWeights::none)
    all.push_back(
        fmt::format("weights {}", entry.weights == EncodingWeights::shared ? "shared by layers" : "per layer"));
  return all;
}

std::string parameter_line(const ParameterSpec& spec) {
  return fmt::format("    {:<22}{}; {}\n", spec.key + "=" + to_text(spec.fallback), spec.help,
                     spec.type.describe_briefly());
}

nlohmann::ordered_json entry_json(const CatalogEntry& entry) {
  auto parameters = nlohmann::ordered_json::array();
  for (const ParameterSpec& spec : entry.parameters)
    parameters.push_back({{"key", spec.key},
                          {"default", json_value(spec.fallback)},
                          {"allowed", spec.type.describe()},
                          {"help", spec.help}});
  return {{"name", entry.name}, {"formula", entry.formula}, {"source", entry.source}, {"parameters", parameters}};
}

// Text in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::string parameters_cell(const CatalogEntry& entry) {
  std::vector<std::string> all;
  for (const ParameterSpec& spec : entry.parameters)
    all.push_back(fmt::format("`{}={}`", spec.key, to_text(spec.fallback)));
  return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace

std::string encodings_text(const Catalog& catalog, const EncodingSizes& sizes) {
  std::string text = fmt::format(
      "Position encodings (--pos NAME[:key=value,...]); trained numbers at d-model {}, heads {}, layers {}, max-len "
      "{}{}\n",
      sizes.d_model, sizes.heads, sizes.layers, sizes.max_len, sizes.causal ? ", causal" : "");
  for (const EncodingEntry& entry : catalog.encodings) {
    text += fmt::format("\n{:<12}{}\n    {}\n", entry.name, entry.formula, entry.source);
    for (const ParameterSpec& spec : entry.parameters) text += parameter_line(spec);
    const std::string why = why_not(entry, sizes);
    text += fmt::format("    {}; {}\n", fmt::join(traits(entry), "; "),
                        why.empty()
                            ? fmt::format("{:.0f} trained numbers", entry.parameter_count(sizes, defaults_of(entry)))
                            : "here it " + why);
  }
  text +=
      "\nWrappers (--pos NAME[...]+WRAPPER[:key=value,...]), at most one that chooses positions and one that scales "
      "scores\n";
  for (const WrapperEntry& entry : catalog.wrappers) {
    text += fmt::format("\n{:<12}{}\n    {}\n", entry.name, entry.formula, entry.source);
    for (const ParameterSpec& spec : entry.parameters) text += parameter_line(spec);
  }
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
    object["reversal_symmetric"] = entry.reversal_symmetric;
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
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", entry.name, cell(entry.formula), parameters_cell(entry),
                        weights_text(entry.weights), entry.causal_only ? "causal" : "any", entry.source);
  text += "\n| wrapper | what it does | parameters | source |\n|---|---|---|---|\n";
  for (const WrapperEntry& entry : catalog.wrappers)
    text += fmt::format("| `+{}` | {} | {} | {} |\n", entry.name, cell(entry.formula), parameters_cell(entry),
                        entry.source);
  text.pop_back();
  return text;
}

}  // namespace posenc
