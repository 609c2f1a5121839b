#include "limits/view.h"

#include "config/encoding_choice.h"

namespace posenc {
namespace {

bool evaluates_evenly(const EncodingChoice& choice) {
  for (const auto& [wrapper, parameters] : choice.wrappers)
    if (wrapper->evaluates_evenly != nullptr && !wrapper->evaluates_evenly(parameters)) return false;
  return true;
}

}  // namespace

View view_of(const RunConfig& config, const Catalog& catalog) {
  const EncodingChoice choice = read_encoding_choice(config.pos, catalog, "--pos");
  const Symmetry symmetry = symmetry_of(choice);
  const bool over_all = config.pool == "mean" || config.pool == "max",
             bos_pooled = config.bos && config.pool == "first";

  if (config.causal) {
    // The first position attends to itself alone.
    if (config.pool == "first") return config.bos ? View::nothing : View::first_token;
    // One layer: the last position attends to a set. Further layers read positions that saw different beginnings.
    const bool last_of_one_layer = config.pool == "last" && config.layers == 1;
    return symmetry == Symmetry::permutation && last_of_one_layer ? View::last_and_multiset : View::everything;
  }
  if (symmetry == Symmetry::permutation)
    return over_all || bos_pooled   ? View::multiset
           : config.pool == "first" ? View::first_and_multiset
                                    : View::last_and_multiset;
  // A BOS token stays in front when the others are reversed.
  if (symmetry == Symmetry::reversal && over_all && !config.bos && evaluates_evenly(choice))
    return View::up_to_reversal;
  return View::everything;
}

std::string reason_of(View view) {
  switch (view) {
    case View::up_to_reversal:
      return "reversal";
    case View::multiset:
      return "permutation";
    case View::first_and_multiset:
      return "permutation but for the first token";
    case View::last_and_multiset:
      return "permutation but for the last token";
    case View::first_token:
      return "first token alone";
    case View::nothing:
      return "nothing of the sequence";
    case View::everything:
      break;
  }
  return "";
}

}  // namespace posenc
