#include "training/random_streams.h"

#include <ATen/CPUGeneratorImpl.h>

namespace posenc {

namespace {

// A generator of the device's kind that nothing else draws from. Cloning the default one needs no CUDA header.
at::Generator device_generator(torch::Device device, uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device).clone();
  generator.set_current_seed(seed);
  return generator;
}

}  // namespace

RandomStreams::RandomStreams(uint64_t seed, torch::Device device)
    : single_(at::detail::createCPUGenerator(seed)),
      dropout_(device.is_cpu() ? single_ : device_generator(device, seed)) {}

}  // namespace posenc
