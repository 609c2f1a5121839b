#include "checkpoint/printable.h"

#include <fmt/format.h>

#include <iterator>

namespace posenc {

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::string line;
  for (const char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~')
      line.push_back(c);
    else
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text.size() > kLongest ? line + "..." : line;
}

}  // namespace posenc
