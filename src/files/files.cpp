#include "files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "files/replacement_file.h"
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

std::string read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw Error(fmt::format("cannot read {}", path));
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
