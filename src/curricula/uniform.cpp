// uniform: every length as often as any other.
#include <algorithm>

#include "curricula/curriculum.h"
#include "posenc/catalog.h"

namespace posenc::curricula {
namespace {

class Uniform : public Curriculum {
 public:
  explicit Uniform(const LengthRange& range) : range_(range) {}
  std::int64_t length(std::int64_t, const std::function<double()>& uniform) const override {
    const auto place = static_cast<std::int64_t>(uniform() * static_cast<double>(range_.count()));
    return range_.at(std::min(place, range_.count() - 1));
  }

 private:
  LengthRange range_;
};

}  // namespace

CurriculumEntry uniform() {
  CurriculumEntry entry;
  entry.name = "uniform";
  entry.formula = "every length as often as any other";
  entry.make = [](const Parameters&, const LengthRange& range) -> std::unique_ptr<Curriculum> {
    return std::make_unique<Uniform>(range);
  };
  return entry;
}

}  // namespace posenc::curricula
