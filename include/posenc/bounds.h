// What accuracy means for a configuration: what guessing reaches, and what no model of its kind can pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/run_config.h"

namespace posenc {

struct Bounds {
  double majority = 0;                      // of the best constant guess: the most frequent class's probability
  double guess_lower = 0, guess_upper = 0;  // the central 95 % of its accuracy on --val-size sequences
  // What no model passes whose answer depends on so little of a sequence; 1 where it may depend on everything. Nothing
  // where it would take seconds to count.
  std::optional<double> ceiling = 1;
  std::string reason;  // "permutation", "reversal", "first token alone", ...; "" where a model may see everything

  // Whether no model of this kind can be told from a constant guess on the validation set.
  bool hopeless() const { return ceiling && *ceiling <= guess_upper; }
};

// `config` must have passed check(). Exact but for rounding; docs/CEILINGS.md has the proofs.
Bounds bounds_of(const RunConfig& config, const Catalog& catalog);

// The same where `labels` sequences of each class were drawn, at least one in all. Which pairs are held out decides how
// often a class is right, so that under --holdout-pairs they alone say what guessing reaches.
Bounds bounds_of(const RunConfig& config, const Catalog& catalog, const std::vector<std::int64_t>& labels);

}  // namespace posenc
