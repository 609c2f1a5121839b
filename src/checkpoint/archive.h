// The reading side of the zip container that torch.save writes: stored entries below one folder, read through libzip.
// Nothing in the file is believed before it is checked, and no size is allocated that the file does not hold. No torch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace posenc {

struct ArchiveEntry {
  std::string name;  // with the archive's folder
  std::uint64_t size;
  std::uint64_t index;  // libzip's
  std::uint32_t crc;    // as the file gives it, unchecked
};

class Archive {
 public:
  // Throw Error when it is no zip archive, holds no FOLDER/data.pkl or more than one, or has an entry that is
  // compressed, encrypted, there twice, or larger than the file.
  static Archive open(const std::string& path);
  static Archive of_bytes(std::string_view bytes);  // which must outlive the archive

  // The entry FOLDER/`name`, or null.
  const ArchiveEntry* find(std::string_view name) const;

  // Reads a whole entry; `to` has its size. Throws Error when it is damaged. The CRC-32 is checked, unless the whole
  // archive was written without any, as under torch.serialization.set_crc32_options(False).
  void read(const ArchiveEntry& entry, std::span<char> to) const;
  std::string read(const ArchiveEntry& entry) const;

 private:
  struct Discard {
    void operator()(zip* archive) const;
  };
  using Handle = std::unique_ptr<zip, Discard>;

  Archive(Handle archive, std::uint64_t file_size);

  Handle zip_;
  std::vector<ArchiveEntry> entries_;  // by name
  std::string folder_;                 // with its slash
  bool has_checksums_ = false;
};

}  // namespace posenc
