#include "results/folder_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "posenc/error.h"
#include "results/record.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

int answer = 0;  // what flock fails with

int failing_flock(int /*descriptor*/, int /*operation*/) {
  errno = answer;
  return -1;
}

std::string message_of(const std::string& folder, FolderLock::Flock flock) {
  try {
    const FolderLock lock(folder, flock);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// Locks `folder` in a process of its own, which then ends without any destructor, as after kill -9.
void lock_and_die(const std::string& folder, FolderLock::Flock flock) {
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(folder, flock);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("a lock that another process has is not one that the file system lacks", "[results]") {
  const TemporaryFolder folder;
  answer = EWOULDBLOCK;
  CHECK_THAT(message_of(folder.path(), failing_flock), StartsWith("--out is in use by "));
  for (const int error : {ENOLCK, ENOSYS, EOPNOTSUPP, EBADF, EINVAL}) {
    answer = error;
    const FolderLock lock(folder.path(), failing_flock);
    CHECK(lock.note() == "the file system of " + folder.path() + " has no flock (" + std::strerror(error) + "); " +
                             folder.path("lock.process") + " keeps other processes out");
    CHECK(std::filesystem::exists(folder.path("lock.process")));
  }
  CHECK_FALSE(std::filesystem::exists(folder.path("lock.process")));
  CHECK(FolderLock(folder.path(), ::flock).note().empty());
}

TEST_CASE("without flock one process has the folder, and is named to the second", "[results]") {
  const TemporaryFolder folder;
  answer = ENOLCK;
  const FolderLock first(folder.path(), failing_flock);
  const std::string in_use = "--out is in use by process " + std::to_string(getpid()) + " on " + host_name();
  CHECK_THAT(message_of(folder.path(), failing_flock), StartsWith(in_use));
  CHECK_THAT(message_of(folder.path(), ::flock), StartsWith(in_use));  // where one machine of two has flock
}

TEST_CASE("what a process of this machine left when it died is taken over", "[results]") {
  const TemporaryFolder folder;
  answer = ENOLCK;
  for (const FolderLock::Flock next : {FolderLock::Flock{failing_flock}, FolderLock::Flock{::flock}}) {
    lock_and_die(folder.path(), failing_flock);
    REQUIRE(std::filesystem::exists(folder.path("lock.process")));
    CHECK(message_of(folder.path(), next).empty());
    CHECK_FALSE(std::filesystem::exists(folder.path("lock.process")));
  }
}

TEST_CASE("a process number that another process has by now is not taken for the holder", "[results]") {
  const TemporaryFolder folder;
  answer = ENOLCK;
  lock_and_die(folder.path(), failing_flock);
  std::ifstream file(folder.path("lock.process"));
  std::string name, process, machine;
  std::getline(file, name);
  std::getline(file, process);
  std::getline(file, machine);
  folder.file("lock.process", name + "\n" + std::to_string(getpid()) + " 1\n" + machine + "\n");
  CHECK(message_of(folder.path(), failing_flock).empty());
}

TEST_CASE("what another machine's process holds, or left, is for people to remove", "[results]") {
  const TemporaryFolder folder;
  answer = ENOLCK;
  for (const char* text : {"process 1 on elsewhere\n1 5\nelsewhere 0f0f pid:[1]\n", "process 1 on elsewhere", ""}) {
    folder.file("lock.process", text);
    for (const FolderLock::Flock flock : {FolderLock::Flock{failing_flock}, FolderLock::Flock{::flock}}) {
      const std::string message = message_of(folder.path(), flock);
      CHECK_THAT(message,
                 StartsWith(std::string("--out is held by ") + (*text ? "process 1 on elsewhere" : "another process")));
      CHECK_THAT(message, ContainsSubstring("if it does not, remove " + folder.path("lock.process")));
      CHECK(std::filesystem::exists(folder.path("lock.process")));
    }
  }
  std::filesystem::remove(folder.path("lock.process"));
  CHECK(message_of(folder.path(), failing_flock).empty());
}

TEST_CASE("a lock that was only tried leaves the folder as it was", "[results]") {
  const TemporaryFolder folder;
  answer = ENOLCK;
  folder.file("lock.process", "process 1 on elsewhere");
  CHECK_FALSE(message_of(folder.path(), failing_flock).empty());
  CHECK_FALSE(std::filesystem::exists(folder.path("lock")));
  std::filesystem::remove(folder.path("lock.process"));
  {
    FolderLock lock(folder.path(), failing_flock);
    lock.sign();
  }
  CHECK(std::filesystem::exists(folder.path("lock")));
}
