// Limits of the system, for a process that a test starts.
#pragma once

#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace posenc {

// From here on the system starts no further thread in this process. Root has no such limit, and becomes nobody.
inline void allow_no_more_threads() {
  constexpr unsigned kNobody = 65534;
  if (getuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
  const rlimit one{1, 1};
  if (setrlimit(RLIMIT_NPROC, &one) != 0) _exit(126);
}

// What `body` returns in a copy of this process.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace posenc
