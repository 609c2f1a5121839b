// Files that are whole or not there.
#pragma once

#include <cstddef>
#include <limits>
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
  int release();  // who calls it closes the descriptor

 private:
  int number_;
};

// Opens a file to read, and does not wait where it is a pipe. Throws Error (usage) with the reason alone, for the caller
// to say which file it is: "No such file or directory", "not a file but a pipe".
Descriptor open_input_file(const std::string& path);

// The text of a file of at most `most` bytes. Throws Error (usage).
std::string read_whole_file(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

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
