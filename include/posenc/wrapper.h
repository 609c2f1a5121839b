// A wrapper: what combines with any encoding that can take it. It chooses the positions that the tokens are said to
// have, or scales the attention scores; and everything else stays as the encoding has it.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "posenc/catalog.h"
#include "posenc/encoding.h"

namespace posenc {

// Every method does nothing by default: positions 0..L-1, factor 1.
class Wrapper {
 public:
  virtual ~Wrapper() = default;

  // Positions of one training step: (L) int64 on the CPU, rising. Draws from `generator` and from nothing else.
  virtual torch::Tensor training_positions(int64_t length, at::Generator& generator) const;

  // Whether training_positions() draws.
  virtual bool draws_in_training() const;

  // Positions to evaluate under, each as above. Where there are several, class probabilities are averaged.
  virtual std::vector<torch::Tensor> evaluation_positions(int64_t length, at::Generator& generator) const;

  // Whether evaluation_positions() draws.
  virtual bool draws_at_evaluation() const;

  // Multiplies q.k / sqrt(d), not the encoding's bias, in a sequence of `length` tokens.
  virtual double score_factor(int64_t length) const;
};

// An encoding with a wrapper of each kind, which does nothing where none was chosen.
struct PositionScheme {
  std::shared_ptr<Encoding> encoding;
  std::shared_ptr<const Wrapper> positions = std::make_shared<Wrapper>();
  std::shared_ptr<const Wrapper> scores = std::make_shared<Wrapper>();
};

// Builds what `choice` (NAME[:key=value,...][+WRAPPER[:key=value,...]]...) names, its weights not yet drawn.
// Throws Error when a name, a key or a value is not known or not allowed.
PositionScheme make_position_scheme(const std::string& choice, const EncodingSizes& sizes);

}  // namespace posenc
