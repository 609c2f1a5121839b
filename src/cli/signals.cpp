#include "cli/signals.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>

namespace posenc {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

void end_now(int) { _exit(128 + caught_signal); }

void remember(int signal) {
  if (caught_signal != 0) _exit(128 + signal);
  caught_signal = signal;
  // One operator may take long; its caller has 0.8 s to come back and ask.
  const itimerval grace{{0, 0}, {0, 800'000}};
  setitimer(ITIMER_REAL, &grace, nullptr);
}

}  // namespace

void catch_signals() {
  std::signal(SIGPIPE, SIG_IGN);  // a broken pipe is an errno of the write instead
  std::signal(SIGALRM, end_now);
  struct sigaction action = {};
  action.sa_handler = remember;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool stop_requested() { return caught_signal != 0; }

int signal_exit_code() { return 128 + caught_signal; }

}  // namespace posenc
