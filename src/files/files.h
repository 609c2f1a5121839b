// Files that are whole or not there.
#pragma once

#include <string>
#include <string_view>

namespace posenc {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  int number() const { return number_; }

 private:
  int number_;
};

std::string read_whole_file(const std::string& path);  // throws Error

// Replaces `path` by temporary file and rename. Throws Error (failure), which leaves the old one as it was.
void replace_file(const std::string& path, std::string_view text);

// Makes the folder and those above it that are not there. Throws Error (usage).
void make_folder(const std::string& path);

// Makes a rename or a new file in `folder` survive a power cut.
void sync_folder(const std::string& folder);

// Appends `text` to the open file and syncs it. When that fails (a full disk), the file is cut back to the length it
// had and Error (failure) is thrown.
void append_synced(int descriptor, std::string_view text, const std::string& path);

}  // namespace posenc
