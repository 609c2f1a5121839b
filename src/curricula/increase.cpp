// increase:by=B,every=E: longer and longer.
#include <algorithm>

#include "curricula/curriculum.h"
#include "posenc/catalog.h"

namespace posenc::curricula {
namespace {

// From the shortest on, `by` longer after every `every` steps; between two lengths of the range, the shorter.
class Increase : public Curriculum {
 public:
  Increase(const LengthRange& range, std::int64_t by, std::int64_t every) : range_(range), by_(by), every_(every) {}
  std::int64_t length(std::int64_t step, const std::function<double()>&) const override {
    return range_.at(std::min(range_.count() - 1, step / every_ * by_ / range_.step));
  }

 private:
  LengthRange range_;
  std::int64_t by_, every_;
};

}  // namespace

CurriculumEntry increase() {
  CurriculumEntry entry;
  entry.name = "increase";
  entry.formula = "from the shortest length, plus `by` every `every` steps";
  entry.parameters = {{"by", ValueType::integer(1), std::int64_t{1}, "tokens added"},
                      {"every", ValueType::integer(1), std::int64_t{100}, "steps at a length"}};
  entry.make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
    return std::make_unique<Increase>(range, p.integer("by"), p.integer("every"));
  };
  return entry;
}

}  // namespace posenc::curricula
