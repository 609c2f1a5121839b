// Dropout masks drawn in bulk: the bits that torch's CPU bernoulli_ would give, several times faster.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace posenc::kernels {

// A Mersenne Twister mt19937 whose state is torch's (at::mt19937_data_pod): `left` counts down to the next twist.
struct Mt19937 {
  static constexpr int kWords = 624;

  std::array<std::uint32_t, kWords> words;
  int left = 1;
  std::uint32_t next = 0;
};

// Words of 32 bits that a row of `columns` bits takes: rows begin at a word.
constexpr std::size_t words_in_row(std::size_t columns) { return (columns + 31) / 32; }

// Draws rows * columns elements in that order, two words an element as torch does: r is the first word and the second,
// mod 2^53, and the element is kept where r / 2^53 < keep. Bit j % 32 of word j / 32 of a row says so for column j;
// bits beyond a row's columns are 0. keep in (0, 1).
void draw_bits(Mt19937& engine, double keep, std::size_t rows, std::size_t columns, std::uint32_t* bits);

}  // namespace posenc::kernels
