#include "training/random_streams.h"

#include <ATen/CPUGeneratorImpl.h>

#include "config/identity.h"

namespace posenc {
namespace {

struct StreamSpec {
  Stream stream;
  const char* name;               // part of the stream's key: never change it
  std::int64_t RunConfig::*seed;  // which seed it follows
};

constexpr StreamSpec kStreams[] = {
    {Stream::data, "data", &RunConfig::data_seed},
    {Stream::shared_weights, "shared weights", &RunConfig::init_seed},
    {Stream::encoding_weights, "encoding weights", &RunConfig::init_seed},
    {Stream::batch_order, "batch order", &RunConfig::seed},
    {Stream::positions, "positions", &RunConfig::seed},
    {Stream::dropout, "dropout", &RunConfig::seed},
};

// Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", with Vigna's constants.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t state) : state_(state) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

// All 64 bits of a stream's key: torch's own seeding would keep 32 of them.
uint64_t stream_key(int64_t seed, const char* name) {
  return SplitMix64(SplitMix64(static_cast<uint64_t>(seed)).next() ^ fnv1a(name)).next();
}

// An mt19937 whose whole state is filled from the key.
at::Generator keyed_generator(uint64_t key) {
  at::Generator generator = at::detail::createCPUGenerator();
  SplitMix64 fill(key);
  at::mt19937_data_pod state = at::mt19937(0).data();
  for (uint32_t& word : state.state_) word = static_cast<uint32_t>(fill.next() >> 32);
  at::mt19937 engine;
  engine.set_data(state);
  at::check_generator<at::CPUGeneratorImpl>(generator)->set_engine(engine);
  return generator;
}

// A generator of the device's kind that nothing else draws from. Cloning the default one needs no CUDA header.
at::Generator device_generator(torch::Device device, uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device).clone();
  generator.set_current_seed(seed);
  return generator;
}

}  // namespace

at::Generator evaluation_generator(const RunConfig& config) {
  return keyed_generator(stream_key(config.seed, "evaluation positions"));
}

at::Generator data_generator(const RunConfig& config, const char* purpose, int64_t number) {
  return keyed_generator(SplitMix64(stream_key(config.data_seed, purpose) + static_cast<uint64_t>(number)).next());
}

RandomStreams::RandomStreams(const RunConfig& config, torch::Device device) {
  const bool paired = config.seeding == "paired";
  const at::Generator single = at::detail::createCPUGenerator(static_cast<uint64_t>(config.seed));
  for (const StreamSpec& spec : kStreams) {
    const uint64_t key = stream_key(config.*spec.seed, spec.name);
    generators_.emplace(spec.stream, paired ? keyed_generator(key) : single);
    if (spec.stream == Stream::dropout && !device.is_cpu())
      generators_[spec.stream] = device_generator(device, paired ? key : static_cast<uint64_t>(config.seed));
  }
}

}  // namespace posenc
