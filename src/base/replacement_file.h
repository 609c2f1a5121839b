// A file that is written beside its place and takes it only when complete: readers see the old one or the new one.
#pragma once

#include <cstddef>
#include <string>

namespace posenc {

// A process that is killed leaves its unfinished file behind, whose name contains this.
inline constexpr const char* kPartialMark = ".partial-";

class ReplacementFile {
 public:
  // Throws Error (failure) when no file can be made beside `path`, or `path` is something other than a file.
  explicit ReplacementFile(const std::string& path);
  ~ReplacementFile();  // removes what was not committed
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  // Never throws, so that foreign code can call it: commit() reports the first error.
  void write(const void* data, std::size_t size) noexcept;

  // Brings the bytes to the disk and the file to its place. Throws Error (failure) when either, or a write, failed.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_, partial_;
  int file_ = -1;
  int error_ = 0;
};

}  // namespace posenc
