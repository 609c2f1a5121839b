#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/replacement_file.h"
#include "posenc/error.h"

namespace posenc {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw Error(fmt::format("cannot {} {} ({})", what, path, std::strerror(error)), Error::Kind::failure);
}

// All of `text`, however the kernel cuts it up. Returns an errno, 0 for none.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error(fmt::format("cannot make the folder (given '{}': {})", path, error.message()));
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

Descriptor open_input_file(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) throw Error(std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    throw Error(fmt::format("not a file but a {}", S_ISDIR(status.st_mode)    ? "folder"
                                                   : S_ISFIFO(status.st_mode) ? "pipe"
                                                                              : "device"));
  return file;
}

std::string read_whole_file(const std::string& path, std::size_t most) {
  std::string text;
  try {
    const Descriptor file = open_input_file(path);
    std::array<char, 1 << 16> block;
    while (const ssize_t count = read(file.number(), block.data(), block.size())) {
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw Error(std::strerror(errno));
      text.append(block.data(), static_cast<std::size_t>(count));
      if (text.size() > most) throw Error(fmt::format("larger than {} bytes", most));
    }
  } catch (const Error& error) {
    throw Error(fmt::format("cannot read the file (given '{}': {})", path, error.what()));
  }
  return text;
}

void replace_file(const std::string& path, std::string_view text) {
  ReplacementFile file(path);
  file.write(text.data(), text.size());
  file.commit();
}

void sync_folder(const std::string& folder) {
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) fsync(opened.number());
}

void append_synced(int descriptor, std::string_view text, const std::string& path) {
  struct stat before {};
  if (fstat(descriptor, &before) != 0) fail("write", path, errno);
  if (const int error = write_all(descriptor, text); error != 0) {
    if (ftruncate(descriptor, before.st_size) != 0) fail("cut back", path, errno);
    fail("write", path, error);
  }
}

}  // namespace posenc
