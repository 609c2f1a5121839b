#include "posenc/wrapper.h"

#include "config/encoding_choice.h"

namespace posenc {

torch::Tensor Wrapper::training_positions(int64_t length, at::Generator&) const { return torch::arange(length); }

std::vector<torch::Tensor> Wrapper::evaluation_positions(int64_t length, at::Generator&) const {
  return {torch::arange(length)};
}

bool Wrapper::draws_in_training() const { return false; }

bool Wrapper::draws_at_evaluation() const { return false; }

double Wrapper::score_factor(int64_t) const { return 1; }

PositionScheme make_position_scheme(const std::string& choice, const EncodingSizes& sizes) {
  const EncodingChoice chosen = read_encoding_choice(choice, catalog(), "--pos");
  PositionScheme scheme{.encoding = chosen.entry->make(sizes, chosen.parameters)};
  for (const auto& [entry, parameters] : chosen.wrappers)
    (entry->kind == WrapperEntry::Kind::positions ? scheme.positions : scheme.scores) = entry->make(parameters);
  return scheme;
}

}  // namespace posenc
