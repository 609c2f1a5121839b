#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "posenc/error.h"

namespace posenc {
namespace {

// Text of files and names may hold anything, and a terminal obeys escapes.
std::string without_escapes(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code < 0x20 && c != '\n' && c != '\t') || code == 0x7f) {
      shown += fmt::format("\\x{:02x}", code);
    } else {
      shown.push_back(c);
    }
  }
  return shown;
}

[[noreturn]] void refuse_output(int error) {
  throw Error(fmt::format("cannot write to standard output ({})", std::strerror(error)), Error::Kind::failure);
}

}  // namespace

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
  if (write_error_ != 0) return;
  fmt::memory_buffer text;
  text.append(without_escapes(line));
  text.push_back('\n');
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), data_) == text.size() && std::fflush(data_) == 0;
  if (written) return;
  if (keeps_going_) {
    write_error_ = errno != 0 ? errno : EIO;
    return;
  }
  if (errno == EPIPE) throw BrokenPipe{};
  refuse_output(errno);
}

void Console::check_output() const {
  if (write_error_ != 0 && write_error_ != EPIPE) refuse_output(write_error_);
}

bool Console::is_terminal() const {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(talk_)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t Console::width() const {
  winsize size{};
  const bool known = ioctl(fileno(talk_), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : 79;
}

void Console::rewrite_line(std::string_view line) {
  // The escape clears what is left of a longer line. Not fmt::print, which throws when nobody is listening.
  const std::string text = fmt::format("\r{}\x1b[K", line.substr(0, width()));
  std::fwrite(text.data(), 1, text.size(), talk_);
  std::fflush(talk_);
}

void Console::end_line() { tell(""); }

void Console::tell(std::string_view given) {
  const std::string line = without_escapes(given);
  std::fwrite(line.data(), 1, line.size(), talk_);
  std::fputc('\n', talk_);
  std::fflush(talk_);
}

}  // namespace posenc
