// Bits drawn in bulk against the definition, with the C++ library's Mersenne Twister.
#include "kernels/dropout_bits.h"

#include <random>
#include <vector>

#include "kernels/instruction_set.h"
#include "support/catch.h"

using namespace posenc::kernels;

namespace {

// torch's seeding, which is that of std::mt19937.
Mt19937 seeded(std::uint32_t seed) {
  Mt19937 engine;
  engine.words[0] = seed;
  for (std::uint32_t i = 1; i < Mt19937::kWords; ++i)
    engine.words[i] = 1812433253u * (engine.words[i - 1] ^ (engine.words[i - 1] >> 30)) + i;
  return engine;
}

bool kept(std::mt19937& twister, double keep) {
  const std::uint64_t high = twister(), low = twister();
  return static_cast<double>(((high << 32) | low) & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53 < keep;
}

}  // namespace

TEST_CASE("bits are those of two words an element, in rows that begin at a word", "[kernels]") {
  for (const InstructionSet set : instruction_sets_here()) {
    use_instruction_set(set);
    INFO(instruction_set_name());
    Mt19937 engine = seeded(42);
    std::mt19937 twister(42);
    const std::vector<std::pair<std::size_t, std::size_t>> shapes = {
        {1, 1}, {3, 16}, {100, 7}, {77, 33}, {1, 1000}, {250, 64}, {40, 130}, {5, 31}, {1, 312}, {1, 313}};
    for (const double keep : {0.9, 0.5, 1e-3, 0.999999}) {
      for (const auto& [rows, columns] : shapes) {
        const std::size_t words = words_in_row(columns);
        std::vector<std::uint32_t> bits(rows * words, 0xdeadbeef), expected(rows * words, 0);
        draw_bits(engine, keep, rows, columns, bits.data());
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < columns; ++j)
            if (kept(twister, keep)) expected[i * words + j / 32] |= 1u << (j % 32);
        CHECK(bits == expected);
      }
    }
  }
  use_instruction_set(instruction_sets_here().front());
}

TEST_CASE("an element is kept by its second word where the first ties", "[kernels]") {
  // keep is the very number that an element draws, or the next above it.
  std::mt19937 twister(7);
  const std::uint64_t high = twister(), low = twister();
  const double drawn = static_cast<double>(((high << 32) | low) & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
  for (const auto& [keep, expected] : {std::pair(drawn, 0u), std::pair(drawn + 0x1p-53, 1u)}) {
    Mt19937 engine = seeded(7);
    std::vector<std::uint32_t> bits(1);
    std::vector<std::uint32_t> many(2);
    draw_bits(engine, keep, 1, 1, bits.data());
    CHECK(bits[0] == expected);
    engine = seeded(7);
    draw_bits(engine, keep, 1, 64, many.data());
    CHECK((many[0] & 1) == expected);
  }
}

TEST_CASE("the engine goes on where torch's would, from an odd place too", "[kernels]") {
  Mt19937 engine = seeded(3);
  std::mt19937 twister(3);
  std::vector<std::uint32_t> bits(100);
  draw_bits(engine, 0.9, 1, 5, bits.data());
  for (int i = 0; i < 5; ++i) kept(twister, 0.9);
  // One word is used by someone else.
  --engine.left;
  ++engine.next;
  twister();
  draw_bits(engine, 0.9, 1, 3000, bits.data());
  std::vector<std::uint32_t> expected(100, 0);
  for (int j = 0; j < 3000; ++j)
    if (kept(twister, 0.9)) expected[static_cast<std::size_t>(j / 32)] |= 1u << (j % 32);
  CHECK(bits == expected);
  CHECK(engine.left == 625 - static_cast<int>(engine.next));
  CHECK(engine.next == (10 + 1 + 6000) % 624);
}
