// Random offset: at each training step all positions are shifted by one number from 0..max-L. Kiyono et al. 2021, SHAPE
// (arXiv 2109.05644), section 3. Evaluation is not shifted.
#include "posenc/catalog.h"
#include "posenc/wrapper.h"

namespace posenc {
namespace {

class RandomOffset : public Wrapper {
 public:
  explicit RandomOffset(int64_t limit) : limit_(limit) {}

  torch::Tensor training_positions(int64_t length, at::Generator& generator) const override {
    return torch::arange(length) + torch::randint(0, limit_ - length + 1, {1}, generator, torch::kInt64);
  }

  bool draws_in_training() const override { return true; }

 private:
  int64_t limit_;
};

}  // namespace

namespace wrappers {

WrapperEntry offset() {
  WrapperEntry entry;
  entry.name = "offset";
  entry.formula = "positions: p + u, one u from 0..max-L, drawn again every step";
  entry.source = "Kiyono et al. 2021, arXiv 2109.05644";
  entry.parameters = {{"max", ValueType::integer(2, 1000000), std::int64_t{2048}, "positions stay below this number"}};
  entry.kind = WrapperEntry::Kind::positions;
  entry.position_limit = [](const Parameters& parameters) { return parameters.integer("max"); };
  entry.make = [](const Parameters& parameters) -> std::shared_ptr<Wrapper> {
    return std::make_shared<RandomOffset>(parameters.integer("max"));
  };
  return entry;
}

}  // namespace wrappers
}  // namespace posenc
