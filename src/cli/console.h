// The only place that writes to a terminal: data to stdout, talk to stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace posenc {

// Thrown when the reader of stdout has gone away, which is no error: the program ends quietly.
struct BrokenPipe {};

// `text` with control characters written as escapes, so that a message stays one line whatever a user typed.
std::string one_line(std::string_view text);

class Console {
 public:
  Console(std::FILE* data, std::FILE* talk) : data_(data), talk_(talk) {}

  // One line of data, visible at once. Throws BrokenPipe, or Error when stdout cannot be written (a full disk), unless
  // keep_going() was called.
  template <typename... T>
  void print(fmt::format_string<T...> format, T&&... arguments) {
    write(fmt::format(format, std::forward<T>(arguments)...));
  }

  // One line of talk. Never throws: nobody may be listening.
  template <typename... T>
  void say(fmt::format_string<T...> format, T&&... arguments) {
    tell(fmt::format(format, std::forward<T>(arguments)...));
  }

  // From here on the work is worth more than its output: results are kept in a folder, or decide the exit code. Output
  // that cannot be written is dropped and ends nothing.
  void keep_going() { keeps_going_ = true; }

  // Throws Error when output was dropped since keep_going(), unless its reader has gone away.
  void check_output() const;

  // stderr is a terminal that a line may be rewritten on.
  bool is_terminal() const;

  std::size_t width() const;  // columns of the terminal that may be written to

  // Puts `line` in place of the terminal's current line, cut to its width, and ends it later.
  void rewrite_line(std::string_view line);
  void end_line();

 private:
  void write(std::string_view line);
  void tell(std::string_view line);

  std::FILE* data_;
  std::FILE* talk_;
  bool keeps_going_ = false;
  int write_error_ = 0;  // the errno that ended the output, 0 for none
};

}  // namespace posenc
