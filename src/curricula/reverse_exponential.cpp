// reverse-exponential:tau=T: short lengths more often.
#include <algorithm>
#include <cmath>

#include "curricula/curriculum.h"
#include "posenc/catalog.h"

namespace posenc::curricula {
namespace {

// P(l) proportional to tau^l.
class ReverseExponential : public Curriculum {
 public:
  ReverseExponential(const LengthRange& range, double tau) : range_(range), tau_(tau) {}
  std::int64_t length(std::int64_t, const std::function<double()>& uniform) const override {
    const double ratio = std::pow(tau_, static_cast<double>(range_.step));  // of a length's share to the one before
    const double whole = 1 - std::pow(ratio, static_cast<double>(range_.count()));
    const double place = std::log1p(-uniform() * whole) / std::log(ratio);
    return range_.at(std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, range_.count() - 1));
  }

 private:
  LengthRange range_;
  double tau_;
};

}  // namespace

CurriculumEntry reverse_exponential() {
  CurriculumEntry entry;
  entry.name = "reverse-exponential";
  entry.formula = "P(length) proportional to tau^length";
  entry.parameters = {{"tau", ValueType::real("(0, 1)"), 0.1, "share that each further token keeps"}};
  entry.make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
    return std::make_unique<ReverseExponential>(range, p.real("tau"));
  };
  return entry;
}

}  // namespace posenc::curricula
