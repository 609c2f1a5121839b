#include "curricula/curriculum.h"

#include <algorithm>
#include <cmath>

#include "config/choice.h"

namespace posenc {
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

const std::vector<CurriculumEntry>& curricula() {
  static const std::vector<CurriculumEntry> table = [] {
    std::vector<CurriculumEntry> all(4);
    all[0].name = "uniform";
    all[0].formula = "every length as often as any other";
    all[0].make = [](const Parameters&, const LengthRange& range) -> std::unique_ptr<Curriculum> {
      return std::make_unique<Uniform>(range);
    };
    all[1].name = "increase";
    all[1].formula = "from the shortest length, plus `by` every `every` steps";
    all[1].parameters = {{"by", ValueType::integer(1), std::int64_t{1}, "tokens added"},
                         {"every", ValueType::integer(1), std::int64_t{100}, "steps at a length"}};
    all[1].make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
      return std::make_unique<Increase>(range, p.integer("by"), p.integer("every"));
    };
    all[2].name = "reverse-exponential";
    all[2].formula = "P(length) proportional to tau^length";
    all[2].parameters = {{"tau", ValueType::real("(0, 1)"), 0.1, "share that each further token keeps"}};
    all[2].make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
      return std::make_unique<ReverseExponential>(range, p.real("tau"));
    };
    all[3].name = "on-success";
    all[3].formula = "the next length once validation at this one reaches the threshold";
    all[3].parameters = {{"threshold", ValueType::real("(0, 1]"), 0.95, "accuracy at the length"}};
    all[3].make = [](const Parameters& p, const LengthRange& range) -> std::unique_ptr<Curriculum> {
      return std::make_unique<OnSuccess>(range, p.real("threshold"));
    };
    return all;
  }();
  return table;
}

std::unique_ptr<Curriculum> make_curriculum(const std::string& choice, const LengthRange& range) {
  const ChoiceText text = split_choice(choice, "--curriculum");
  const CurriculumEntry& entry = find_entry(curricula(), text.name, "--curriculum", "curriculum");
  return entry.make(read_parameters(entry, text, "--curriculum"), range);
}

std::string canonical_curriculum(const std::string& choice, std::string_view what) {
  const ChoiceText text = split_choice(choice, what);
  const CurriculumEntry& entry = find_entry(curricula(), text.name, what, "curriculum");
  return canonical_choice(entry, read_parameters(entry, text, what));
}

}  // namespace posenc
