#include "support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace posenc {

Process::Process(const std::vector<std::string>& arguments, const std::function<void()>& prepare) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ == 0) {
    std::vector<char*> argv = {const_cast<char*>(POSENC_BINARY)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    dup2(ends[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  output_ = ends[0];
}

Process::~Process() {
  close_output();
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

std::string Process::read_line() {
  std::string line;
  for (char c; read(output_, &c, 1) == 1 && c != '\n';) line.push_back(c);
  return line;
}

void Process::close_output() {
  if (output_ >= 0) close(output_);
  output_ = -1;
}

void Process::signal(int number) { kill(pid_, number); }

int Process::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace posenc
