// Random positions: at each training step a sequence's tokens get a sorted sample, without replacement, of the
// positions 0..max-1. Ruoss et al. 2023 (arXiv 2305.16843), section 3. Evaluation takes 0..L-1 unless told otherwise.
#include <fmt/format.h>

#include "posenc/catalog.h"
#include "posenc/wrapper.h"

namespace posenc {
namespace {

class RandomPositions : public Wrapper {
 public:
  // `samples`: how many draws evaluation averages over; 0 evaluates at 0..L-1.
  RandomPositions(int64_t limit, int64_t samples) : limit_(limit), samples_(samples) {}

  torch::Tensor training_positions(int64_t length, at::Generator& generator) const override {
    const torch::Tensor chosen = torch::randperm(limit_, generator, torch::kInt64).narrow(/*dim=*/0, 0, length);
    return std::get<0>(chosen.sort());
  }

  std::vector<torch::Tensor> evaluation_positions(int64_t length, at::Generator& generator) const override {
    if (!draws_at_evaluation()) return Wrapper::evaluation_positions(length, generator);
    std::vector<torch::Tensor> draws;
    for (int64_t i = 0; i < samples_; ++i) draws.push_back(training_positions(length, generator));
    return draws;
  }

  bool draws_at_evaluation() const override { return samples_ > 0; }

  bool draws_in_training() const override { return true; }

 private:
  int64_t limit_, samples_;
};

constexpr int64_t kSamples = 8;

}  // namespace

namespace wrappers {

WrapperEntry random() {
  WrapperEntry entry;
  entry.name = "random";
  entry.formula = "positions: a sorted sample of 0..max-1 without replacement, drawn again every step";
  entry.source = "Ruoss et al. 2023, arXiv 2305.16843";
  entry.parameters = {
      {"max", ValueType::integer(2, 1000000), std::int64_t{2048}, "number of positions to draw from"},
      {"eval", ValueType::choice({"identity", "random", "mean"}), std::string("identity"),
       "positions at evaluation: 0..L-1, one draw a batch, or the mean of the probabilities of several"},
      {"samples", ValueType::integer(1, 10000), kSamples, "draws of eval=mean"}};
  entry.kind = WrapperEntry::Kind::positions;
  entry.position_limit = [](const Parameters& parameters) { return parameters.integer("max"); };
  entry.evaluates_evenly = [](const Parameters& parameters) { return parameters.text("eval") == "identity"; };
  entry.misfit = [](const Parameters& parameters) -> std::string {
    if (parameters.text("eval") == "mean" || parameters.integer("samples") == kSamples) return "";
    return fmt::format("needs eval=mean to read samples (given eval={})", parameters.text("eval"));
  };
  entry.make = [](const Parameters& parameters) -> std::shared_ptr<Wrapper> {
    const std::string& evaluation = parameters.text("eval");
    const int64_t samples = evaluation == "identity" ? 0 : evaluation == "random" ? 1 : parameters.integer("samples");
    return std::make_shared<RandomPositions>(parameters.integer("max"), samples);
  };
  return entry;
}

}  // namespace wrappers
}  // namespace posenc
