// x: no position at all. Kazemnejad et al. 2023 (arXiv 2305.19466). Causal attention still has an order; two-sided has
// none.
#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {
namespace {

class Nothing : public Encoding {
 public:
  Reads reads() const override { return Reads::positions; }
};

}  // namespace

namespace encodings {

EncodingEntry none() {
  EncodingEntry entry;
  entry.name = "none";
  entry.formula = "x";
  entry.source = "Kazemnejad et al. 2023, arXiv 2305.19466";
  entry.reads_positions = false;
  entry.relative = true;
  entry.symmetry = Symmetry::permutation;
  entry.parameter_count = [](const EncodingSizes&, const Parameters&) { return 0.0; };
  entry.make = [](const EncodingSizes&, const Parameters&) -> std::shared_ptr<Encoding> {
    return std::make_shared<Nothing>();
  };
  return entry;
}

}  // namespace encodings
}  // namespace posenc
