// Random numbers of the resampling methods: the same for a seed with every compiler and standard library, which
// std::uniform_int_distribution and std::shuffle are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace posenc {

// std::mt19937_64, whose numbers the C++ standard fixes.
class RandomDraws {
 public:
  explicit RandomDraws(std::uint64_t seed) : engine_(seed) {}

  // 64 fair bits.
  std::uint64_t bits() { return engine_(); }

  // 0..bound-1, each exactly as likely as any other (Lemire 2019, "Fast random integer generation in an interval").
  // 1 <= bound < 2^32.
  std::size_t index(std::size_t bound) {
    const auto range = static_cast<std::uint32_t>(bound);
    std::uint64_t product = (engine_() >> 32) * range;
    if (static_cast<std::uint32_t>(product) < range) {
      const std::uint32_t surplus = -range % range;
      while (static_cast<std::uint32_t>(product) < surplus) product = (engine_() >> 32) * range;
    }
    return product >> 32;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace posenc
