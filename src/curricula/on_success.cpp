// on-success:threshold=A: longer once the model is right at this length.
#include "curricula/curriculum.h"
#include "posenc/catalog.h"

namespace posenc::curricula {
namespace {

// The next length once validation at this one reaches the threshold.
class OnSuccess : public Curriculum {
 public:
  OnSuccess(const LengthRange& range, double threshold) : range_(range), threshold_(threshold) {}
  std::int64_t length(std::int64_t, const std::function<double()>&) const override { return range_.at(reached_); }
  bool follows_validation() const override { return true; }
  void validated(const std::vector<double>& accuracies) override {
    const bool success = accuracies[static_cast<std::size_t>(reached_)] >= threshold_;
    if (success && reached_ + 1 < range_.count()) ++reached_;
  }

 private:
  LengthRange range_;
  double threshold_;
  std::int64_t reached_ = 0;
};

}  // namespace

CurriculumEntry on_success() {
  CurriculumEntry entry;
  entry.name = "on-success";
  entry.formula = "the next length once validation at this one reaches the threshold";
  entry.parameters = {{"threshold", ValueType::real("(0, 1]"), 0.95, "accuracy at the length"}};
  entry.make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
    return std::make_unique<OnSuccess>(range, p.real("threshold"));
  };
  return entry;
}

}  // namespace posenc::curricula
