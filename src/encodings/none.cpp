// x: no position at all. Kazemnejad et al. 2023 (arXiv 2305.19466). Causal attention still has an order; two-sided has
// none.
#include "encodings/registry.h"
#include "posenc/encoding.h"

namespace posenc {

EncodingEntry encodings::none() {
  EncodingEntry entry;
  entry.name = "none";
  entry.formula = "x";
  entry.source = "Kazemnejad et al. 2023, arXiv 2305.19466";
  entry.reads_positions = false;
  entry.relative = true;
  entry.reversal_symmetric = true;
  entry.bias_from_positions = true;
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.make = [](const EncodingSizes&, const Parameters&) { return std::make_shared<Encoding>(); };
  return entry;
}

}  // namespace posenc
