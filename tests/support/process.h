// posenc as a process of its own, for what only a process has: signals, pipes and exit codes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace posenc {

class Process {
 public:
  // Starts build/posenc. Its stdout is a pipe that the test reads; its stderr is dropped. `prepare` is called in the new
  // process after that, just before posenc takes its place.
  explicit Process(const std::vector<std::string>& arguments, const std::function<void()>& prepare = nullptr);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::string read_line();  // "" at the end of the output
  void close_output();      // the reader goes away
  void signal(int number);
  int wait();  // exit code, or 128 + signal

 private:
  pid_t pid_;
  int output_;
};

}  // namespace posenc
