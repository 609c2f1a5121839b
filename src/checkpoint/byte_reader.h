// The bytes of a pickle from its start, each read once and never beyond the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "posenc/error.h"

namespace posenc {

class ByteReader {
 public:
  explicit ByteReader(std::string_view all) : all_(all) {}

  std::size_t position() const { return position_; }

  // Throw Error when fewer are left.
  std::string_view bytes(std::size_t count) {
    if (count > all_.size() - position_) throw Error("the pickle ends too early");
    position_ += count;
    return all_.substr(position_ - count, count);
  }

  std::uint8_t byte() { return static_cast<std::uint8_t>(bytes(1)[0]); }

  // An unsigned number of `count` <= 8 bytes.
  std::uint64_t little_endian(std::size_t count) {
    const std::string_view digits = bytes(count);
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;) number = number << 8 | static_cast<std::uint8_t>(digits[i]);
    return number;
  }

  // Up to a line feed, without it.
  std::string_view line() {
    const std::size_t end = all_.find('\n', position_);
    if (end == std::string_view::npos) throw Error("the pickle ends too early");
    const std::string_view text = bytes(end - position_);
    ++position_;
    return text;
  }

 private:
  std::string_view all_;
  std::size_t position_ = 0;
};

}  // namespace posenc
