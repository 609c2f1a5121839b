#include "cli/console.h"

#include <cerrno>
#include <cstring>

#include "posenc/error.h"

namespace posenc {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line.push_back(c);
    }
  }
  return line;
}

void Console::write(std::string_view line) {
  fmt::memory_buffer text;
  text.append(line);
  text.push_back('\n');
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), data_) == text.size() && std::fflush(data_) == 0;
  if (written) return;
  if (errno == EPIPE) throw BrokenPipe{};
  throw Error(fmt::format("cannot write to standard output ({})", std::strerror(errno)), Error::Kind::failure);
}

void Console::tell(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), talk_);
  std::fputc('\n', talk_);
  std::fflush(talk_);
}

}  // namespace posenc
