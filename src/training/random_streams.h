// Every random number of a run comes from here; nothing draws from torch's global generator.
#pragma once

#include <torch/torch.h>

namespace posenc {

enum class Stream {
  data,              // training tokens, then validation tokens
  shared_weights,    // every weight that all encodings have
  encoding_weights,  // the encoding's own
  batch_order,       // one permutation an epoch
  dropout,           // masks, in layer order
};

// The streams of one run. All are one generator, drawn from in the published order (docs/PROTOCOL.md), so that a
// run reproduces PyTorch's numbers; callers name the stream they mean all the same.
class RandomStreams {
 public:
  // Masks are drawn where the model lives: on a CUDA device they come from a generator of CUDA's own kind.
  RandomStreams(uint64_t seed, torch::Device device);

  at::Generator& operator[](Stream stream) { return stream == Stream::dropout ? dropout_ : single_; }

 private:
  at::Generator single_;
  at::Generator dropout_;  // on the CPU the same generator as single_
};

}  // namespace posenc
