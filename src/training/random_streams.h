// Every random number of a run comes from here; nothing draws from torch's global generator.
#pragma once

#include <torch/torch.h>

#include <map>

#include "posenc/run_config.h"

namespace posenc {

enum class Stream {
  data,              // training tokens, then validation tokens
  shared_weights,    // every weight that all encodings have
  encoding_weights,  // the encoding's own
  batch_order,       // one permutation an epoch
  positions,         // positions of a step, where a wrapper draws them
  dropout,           // masks, in layer order
};

// The streams of one run. Under single seeding all are one generator, drawn from in the published order
// (docs/PROTOCOL.md), so that a run reproduces PyTorch's numbers. Under paired seeding each is independent of the
// others, so that no encoding's draws shift another stream.
class RandomStreams {
 public:
  // Masks are drawn where the model lives: on a CUDA device they come from a generator of CUDA's own kind.
  RandomStreams(const RunConfig& config, torch::Device device);

  at::Generator& operator[](Stream stream) { return generators_.at(stream); }

 private:
  std::map<Stream, at::Generator> generators_;  // under single seeding copies of one handle
};

// Of data that are a function of --data-seed and a number: what `purpose` says is drawn for step or length `number`.
at::Generator data_generator(const RunConfig& config, const char* purpose, int64_t number);

// Positions drawn by evaluation: new at each evaluation, the same for every one, and of no training stream.
at::Generator evaluation_generator(const RunConfig& config);

}  // namespace posenc
