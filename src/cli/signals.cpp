#include "cli/signals.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace posenc {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void end_now(int) {
  const char* message = caught_signal == SIGTERM ? "posenc: terminated\n" : "posenc: interrupted\n";
  const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
  static_cast<void>(written);  // nobody may be listening
  _exit(128 + caught_signal);
}

void remember(int signal) {
  if (caught_signal != 0) end_now(signal);
  caught_signal = signal;
  // One operator may take long; its caller has 0.8 s to come back and ask.
  const itimerval grace{{0, 0}, {0, 800'000}};
  setitimer(ITIMER_REAL, &grace, nullptr);
}

// What the process was told to ignore stays ignored: Ctrl-C under `posenc sweep &` in a script, which is meant for
// another program.
void catch_unless_ignored(int signal) {
  struct sigaction action = {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = remember;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_signals() {
  std::signal(SIGPIPE, SIG_IGN);  // a broken pipe is an errno of the write instead,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit on the size of files
  std::signal(SIGALRM, end_now);
  catch_unless_ignored(SIGINT);
  catch_unless_ignored(SIGTERM);
}

bool stop_requested() { return caught_signal != 0; }

std::string stopped_by() { return caught_signal == SIGTERM ? "terminated" : "interrupted"; }

int signal_exit_code() { return 128 + caught_signal; }

}  // namespace posenc
