#include "checkpoint/archive.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/files.h"
#include "checkpoint/printable.h"
#include "posenc/error.h"

namespace posenc {
namespace {

class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string text() { return printable(zip_error_strerror(&error_)); }

 private:
  zip_error_t error_;
};

[[noreturn]] void refuse_container(ZipError& error) {
  throw Error(fmt::format("not a zip archive as torch.save writes it ({})", error.text()));
}

// What one entry claims; refused unless its bytes lie in the file as they are.
ArchiveEntry checked_entry(zip_t* archive, std::uint64_t index, std::uint64_t file_size) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD |
                                   ZIP_STAT_ENCRYPTION_METHOD | ZIP_STAT_CRC;
  zip_stat_t stat;
  if (zip_stat_index(archive, index, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
    throw Error(fmt::format("entry {} of the archive is damaged", index));
  const std::string name = printable(stat.name);
  if (stat.encryption_method != ZIP_EM_NONE) throw Error(fmt::format("entry {} is encrypted", name));
  if (stat.comp_method != ZIP_CM_STORE)
    throw Error(fmt::format("entry {} is compressed (given method {}, allowed: stored)", name, stat.comp_method));
  if (stat.size > file_size || stat.comp_size != stat.size)
    throw Error(fmt::format("entry {} is not as large as it says (given {} bytes, stored {}, the whole file {})", name,
                            stat.size, stat.comp_size, file_size));
  return {stat.name, stat.size, index, stat.crc};
}

}  // namespace

void Archive::Discard::operator()(zip* archive) const { zip_discard(archive); }

Archive Archive::open(const std::string& path) {
  // libzip would wait for the writer of a pipe, and calls a folder a seek error.
  Descriptor opened = open_input_file(path);
  struct stat status {};
  std::FILE* file = fstat(opened.number(), &status) == 0 ? fdopen(opened.number(), "rb") : nullptr;
  if (file == nullptr) throw Error(std::strerror(errno));
  opened.release();
  const auto size = static_cast<std::uint64_t>(status.st_size);
  ZipError error;
  zip_source_t* source = zip_source_filep_create(file, 0, -1, error.get());  // which closes the file
  if (source == nullptr) {
    std::fclose(file);
    refuse_container(error);
  }
  Handle archive(zip_open_from_source(source, ZIP_RDONLY, error.get()));
  if (!archive) {
    zip_source_free(source);
    refuse_container(error);
  }
  return Archive(std::move(archive), size);
}

Archive Archive::of_bytes(std::string_view bytes) {
  ZipError error;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, error.get());
  if (source == nullptr) refuse_container(error);
  Handle archive(zip_open_from_source(source, ZIP_RDONLY, error.get()));
  if (!archive) {
    zip_source_free(source);
    refuse_container(error);
  }
  return Archive(std::move(archive), bytes.size());
}

Archive::Archive(Handle archive, std::uint64_t file_size) : zip_(std::move(archive)) {
  const auto count = static_cast<std::uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(zip_.get(), 0), 0));
  entries_.reserve(count);
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    entries_.push_back(checked_entry(zip_.get(), i, file_size));
    // An entry without bytes has the CRC-32 0 in any case.
    has_checksums_ = has_checksums_ || entries_.back().crc != 0;
    total += entries_.back().size;  // cannot overflow: it was below the file's size, as the entry is
    if (total > file_size)
      throw Error(
          fmt::format("the entries are larger than the file (given {} bytes or more, the file {})", total, file_size));
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const ArchiveEntry& a, const ArchiveEntry& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(),
                                        [](const ArchiveEntry& a, const ArchiveEntry& b) { return a.name == b.name; });
  if (twice != entries_.end()) throw Error(fmt::format("entry {} is there twice", printable(twice->name)));
  for (const ArchiveEntry& entry : entries_) {
    const std::size_t slash = entry.name.find('/');
    if (slash == std::string::npos || entry.name.substr(slash) != "/data.pkl") continue;
    if (!folder_.empty())
      throw Error(fmt::format("two data.pkl in one archive (given {}data.pkl and {})", printable(folder_),
                              printable(entry.name)));
    folder_ = entry.name.substr(0, slash + 1);
  }
  if (folder_.empty()) throw Error("the archive holds no data.pkl, so that it is not torch.save's");
}

const ArchiveEntry* Archive::find(std::string_view name) const {
  const std::string full = folder_ + std::string(name);
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), full,
                       [](const ArchiveEntry& entry, const std::string& key) { return entry.name < key; });
  return found != entries_.end() && found->name == full ? &*found : nullptr;
}

void Archive::read(const ArchiveEntry& entry, std::span<char> to) const {
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(zip_.get(), entry.index, 0), zip_fclose);
  if (!file)
    throw Error(fmt::format("entry {} is damaged ({})", printable(entry.name), printable(zip_strerror(zip_.get()))));
  // libzip compares the CRC-32 when asked for more than there is.
  char more;
  const zip_int64_t count = zip_fread(file.get(), to.data(), to.size());
  const zip_int64_t rest = count < 0 ? -1 : has_checksums_ ? zip_fread(file.get(), &more, 1) : 0;
  if (count == static_cast<zip_int64_t>(to.size()) && rest == 0) return;
  throw Error(fmt::format("entry {} is damaged ({})", printable(entry.name),
                          count < 0 || rest < 0 ? printable(zip_file_strerror(file.get())) : "of another size"));
}

std::string Archive::read(const ArchiveEntry& entry) const {
  std::string text(entry.size, '\0');
  read(entry, std::span<char>(text));
  return text;
}

}  // namespace posenc
