#include "results/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "posenc/error.h"
#include "results/record.h"

namespace posenc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";
constexpr const char* kProcess = "lock.process";
constexpr const char* kTakeOver = "lock.process.takeover";

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// When a process started, in the kernel's ticks since boot, which no later process of its number shares; nothing where
// it has ended.
std::optional<std::string> start_of(pid_t process) {
  const std::string line = first_line_of(fmt::format("/proc/{}/stat", process));
  // The 22nd field; the second is a name in parentheses that may contain anything.
  std::size_t at = line.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  return line.substr(at + 1, line.find(' ', at + 1) - at - 1);
}

// What process numbers are counted in: this boot of this machine, and the container. "" where that is not known.
std::string machine() {
  std::error_code error;
  const std::string boot = first_line_of("/proc/sys/kernel/random/boot_id"),
                    container = fs::read_symlink("/proc/self/ns/pid", error).string();
  return boot.empty() ? "" : fmt::format("{} {} {}", host_name(), boot, container);
}

std::string holder_text() { return fmt::format("process {} on {}", getpid(), host_name()); }

// "lock.process": who holds the folder, for people; process, start and machine, for take_over().
std::string process_text() {
  return fmt::format("{}\n{} {}\n{}\n", holder_text(), getpid(), start_of(getpid()).value_or("?"), machine());
}

struct Holder {
  std::string name;
  bool of_this_machine = false, has_ended = false;
};

Holder holder_in(const std::string& process_file) {
  Holder holder;
  std::ifstream file(process_file);
  std::string started, of;
  pid_t process = 0;
  std::getline(file, holder.name);
  file >> process >> started >> std::ws;
  std::getline(file, of);
  holder.of_this_machine = !of.empty() && of == machine();
  holder.has_ended = holder.of_this_machine && start_of(process) != started;
  if (holder.name.empty()) holder.name = "another process";
  return holder;
}

}  // namespace

bool FolderLock::is_part(const std::string& file_name) {
  return file_name == kLock || file_name == kProcess || file_name == kTakeOver;
}

std::string FolderLock::lock_path() const { return fs::path(folder_) / kLock; }

std::string FolderLock::process_path() const { return fs::path(folder_) / kProcess; }

// Through the other constructor, so that the destructor runs where this one throws.
FolderLock::FolderLock(const std::string& folder, Flock flock) : FolderLock(folder) {
  std::error_code ignored;
  made_ = !fs::exists(lock_path(), ignored);
  lock_ = Descriptor(open(lock_path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock_.number() < 0)
    throw Error(fmt::format("--out: cannot write there (given '{}': {})", folder_, std::strerror(errno)));
  int result = 0;
  do {
    result = flock(lock_.number(), LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  const int error = result == 0 ? 0 : errno;
  if (error == EWOULDBLOCK) {
    const std::string holder = first_line_of(lock_path());
    throw Error(fmt::format("--out is in use by {} (given '{}'; one process may write to a folder)",
                            holder.empty() ? "another process" : holder, folder_));
  }
  refuse_if_held();  // by a process to which this file system has no flock
  if (error != 0) hold_process_file(std::strerror(error));
}

FolderLock::~FolderLock() {
  if (process_file_.number() >= 0) {
    struct stat mine {
    }, there{};
    const bool same = fstat(process_file_.number(), &mine) == 0 && stat(process_path().c_str(), &there) == 0 &&
                      mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
    if (same) unlink(process_path().c_str());
  }
  if (made_ && !signed_) unlink(lock_path().c_str());
}

void FolderLock::sign() {
  const std::string holder = holder_text();
  signed_ = true;
  if (ftruncate(lock_.number(), 0) != 0 ||
      pwrite(lock_.number(), holder.data(), holder.size(), 0) != static_cast<ssize_t>(holder.size())) {
    // Only a name for the error of others: the lock holds without it.
  }
}

// Leaves no "lock.process" of a process that has ended.
void FolderLock::refuse_if_held() const {
  std::error_code error;
  if (!fs::exists(process_path(), error)) return;
  const Holder holder = holder_in(process_path());
  if (holder.has_ended) {
    take_over();
  } else if (holder.of_this_machine) {
    throw Error(
        fmt::format("--out is in use by {} (given '{}'; one process may write to a folder)", holder.name, folder_));
  } else {
    throw Error(
        fmt::format("--out is held by {}, of which this machine cannot see whether it still runs (given '{}'; if it "
                    "does not, remove {})",
                    holder.name, folder_, process_path()));
  }
}

// Two processes that find the same remains must not both remove them: the second would remove what the first has put
// there since.
void FolderLock::take_over() const {
  const std::string guard = fs::path(folder_) / kTakeOver;
  const Descriptor made(open(guard.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (made.number() < 0)
    throw Error(fmt::format("--out is being taken over by another process (given '{}'; if there is none, remove {})",
                            folder_, guard));
  if (holder_in(process_path()).has_ended) unlink(process_path().c_str());
  unlink(guard.c_str());
}

void FolderLock::hold_process_file(const char* why) {
  int error = EEXIST;
  for (int attempt = 0; attempt < 2 && error == EEXIST; ++attempt) {
    if (attempt > 0) refuse_if_held();  // another process was faster
    const int made = open(process_path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error = made < 0 ? errno : 0;
    process_file_ = Descriptor(made);
  }
  if (error != 0)
    throw Error(fmt::format("--out cannot be locked (given '{}': flock: {}; {}: {})", folder_, why, process_path(),
                            std::strerror(error)));
  append_synced(process_file_.number(), process_text(), process_path());
  note_ = fmt::format("the file system of {} has no flock ({}); {} keeps other processes out", folder_, why,
                      process_path());
}

}  // namespace posenc
