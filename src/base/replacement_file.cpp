#include "base/replacement_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "posenc/error.h"

namespace posenc {

namespace fs = std::filesystem;

ReplacementFile::ReplacementFile(const std::string& path) : path_(path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::exists(status) && !fs::is_regular_file(status))  // renaming would replace /dev/null
    throw Error(fmt::format("cannot write the file (given '{}': not a regular file)", path), Error::Kind::failure);
  if (fs::exists(status)) {  // through a link, to where it points
    const fs::path target = fs::canonical(path, code);
    if (!code) path_ = target.string();
  }
  static std::atomic<unsigned> count = 0;
  do {
    partial_ = fmt::format("{}{}{}-{}", path_, kPartialMark, getpid(), count++);
    file_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);  // left behind by a process that was killed
  if (file_ < 0) fail(errno);
}

ReplacementFile::~ReplacementFile() {
  if (file_ >= 0) close(file_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void ReplacementFile::write(const void* data, std::size_t size) noexcept {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0 && error_ == 0) {
    const ssize_t count = ::write(file_, bytes, std::min(size, std::size_t{1} << 30));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error_ = errno;
    if (count == 0) error_ = EIO;
    if (count <= 0) break;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

void ReplacementFile::commit() {
  if (error_ == 0 && fsync(file_) != 0) error_ = errno;
  if (close(file_) != 0 && error_ == 0) error_ = errno;
  file_ = -1;
  if (error_ == 0 && rename(partial_.c_str(), path_.c_str()) != 0) error_ = errno;
  if (error_ != 0) fail(error_);
  partial_.clear();
  sync_folder(fs::path(path_).parent_path().string());
}

void ReplacementFile::fail(int error) const {
  throw Error(fmt::format("cannot write the file (given '{}': {})", path_, std::strerror(error)), Error::Kind::failure);
}

}  // namespace posenc
