// Scores that grow with the length: q.k / sqrt(d), not the encoding's bias, times ln L. Chiang and Cholak 2022 (arXiv
// 2202.12172), section 5.3: without it attention to one token fades as a sequence grows.
#include <cmath>

#include "posenc/catalog.h"
#include "posenc/wrapper.h"

namespace posenc {
namespace {

class LogLength : public Wrapper {
 public:
  double score_factor(int64_t length) const override { return std::log(static_cast<double>(length)); }
};

}  // namespace

namespace wrappers {

WrapperEntry logn() {
  WrapperEntry entry;
  entry.name = "logn";
  entry.formula = "scores: q_i . k_j / sqrt(d_h), not the bias, times ln L";
  entry.source = "Chiang and Cholak 2022, arXiv 2202.12172";
  entry.kind = WrapperEntry::Kind::scores;
  entry.make = [](const Parameters&) -> std::shared_ptr<Wrapper> { return std::make_shared<LogLength>(); };
  return entry;
}

}  // namespace wrappers
}  // namespace posenc
