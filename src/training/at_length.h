// A trained model as it is asked at one length, which may be beyond what it was trained on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/tiny_transformer.h"
#include "posenc/run_config.h"

namespace posenc {

class AtLength {
 public:
  // `seen`: the tokens that the model sees of a sequence, here L. `trained`: how many positions its encoding was
  // trained for. Beyond them --oob clamp stays at the last trained position, interpolate spreads the trained rows over
  // the sequence, and all else leaves positions as they are.
  AtLength(TinyTransformer& model, const std::string& oob, int64_t trained, int64_t seen);
  ~AtLength();

  // tokens (B,length) -> logits (B,classes), as evaluation_logits() does.
  torch::Tensor logits(const torch::Tensor& tokens, at::Generator& generator);

  // What stands in for the model's own encoding.
  Encoding& encoding() { return *encoding_; }

  // (L) each: the positions that the model is evaluated at, of which a wrapper may draw several sets.
  std::vector<torch::Tensor> positions(at::Generator& generator) const;

 private:
  TinyTransformer& model_;
  int64_t seen_;
  bool beyond_;              // the positions are ours rather than the wrapper's
  torch::Tensor positions_;  // if so
  std::unique_ptr<Encoding> stand_in_;
  Encoding* encoding_;
};

// How many positions a model of `config` was trained for whose longest sequence in training had `longest` tokens.
int64_t positions_trained(const RunConfig& config, int64_t longest);

// Throws Error (usage) where such a model cannot be asked about one sequence of `length` tokens: positions beyond its
// table that --oob gives nothing to, or more memory than there is.
void check_sequence(const RunConfig& config, int64_t trained, int64_t length);

}  // namespace posenc
