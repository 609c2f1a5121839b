#include "cli/process_start.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <cerrno>

namespace posenc {
namespace {

int deleted_directory = -1;  // a descriptor of it while the process is elsewhere

void open_closed_streams() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is given out, which is this one, since those below it are open by now.
    const int opened = open("/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    // Where there is no /dev/null, a folder takes the number: every read and write of it is an error.
    if (opened < 0) open("/", O_RDONLY | O_DIRECTORY);
  }
}

void leave_deleted_directory() {
  char name[PATH_MAX];
  if (getcwd(name, sizeof name) != nullptr || errno != ENOENT) return;
  deleted_directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (deleted_directory >= 0 && chdir("/") != 0) return_to_working_directory();
}

}  // namespace

void prepare_process() {
  open_closed_streams();
  leave_deleted_directory();
}

void return_to_working_directory() {
  if (deleted_directory < 0) return;
  if (fchdir(deleted_directory) != 0) _exit(1);  // a relative path would mean another file than the one that was named
  close(deleted_directory);
  deleted_directory = -1;
}

}  // namespace posenc
