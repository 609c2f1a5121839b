// The right of one process to write to a folder of results.
#pragma once

#include <sys/file.h>

#include <string>

#include "base/files.h"

namespace posenc {

// flock on the file "lock", which the kernel frees however the process ends. Where the file system has no flock, the
// file "lock.process" stands in: it names host and process, goes with this object, and is taken over where it was left
// by a process of this machine that has ended.
class FolderLock {
 public:
  using Flock = int (*)(int descriptor, int operation);

  // Throws Error (usage): another process has the folder (it is named), or nothing can be written there.
  FolderLock(const std::string& folder, Flock flock);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Writes into "lock" who has it. Before that the folder is as it was found.
  void sign();

  // What stands in for flock, and why; "" where flock works.
  const std::string& note() const { return note_; }

  // Whether a file of this name in a folder is one of a lock.
  static bool is_part(const std::string& file_name);

 private:
  explicit FolderLock(const std::string& folder) : folder_(folder) {}
  std::string lock_path() const;
  std::string process_path() const;
  void refuse_if_held() const;
  void take_over() const;
  void hold_process_file(const char* why);

  std::string folder_, note_;
  Descriptor lock_, process_file_;
  bool made_ = false, signed_ = false;  // the file "lock", by this object
};

}  // namespace posenc
