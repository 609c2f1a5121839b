#include "training/random_streams.h"

#include <ATen/CPUGeneratorImpl.h>

namespace posenc {

RandomStreams::RandomStreams(uint64_t seed) : single_(at::detail::createCPUGenerator(seed)) {}

}  // namespace posenc
