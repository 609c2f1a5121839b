// Archives and pickles put together byte by byte, so that each can be wrong in one place.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posenc {

inline std::string little(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text.push_back(static_cast<char>(number));
  return text;
}

struct ZipEntry {
  std::string name, data;
  unsigned method = 0, flags = 0;
  std::uint64_t claimed_size = ~std::uint64_t{0};  // data.size() by default
  bool has_checksum = true;                        // else its CRC-32 stands as 0
};

inline std::uint32_t crc32(std::string_view data) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

// A zip file of stored entries.
inline std::string zip_file(const std::vector<ZipEntry>& entries) {
  std::string file, directory;
  for (const ZipEntry& entry : entries) {
    const std::uint64_t size = entry.claimed_size == ~std::uint64_t{0} ? entry.data.size() : entry.claimed_size;
    const std::string common = little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) + little(0, 4) +
                               little(entry.has_checksum ? crc32(entry.data) : 0, 4) + little(size, 4) +
                               little(size, 4) + little(entry.name.size(), 2) + little(0, 2);
    directory += "PK\1\2" + little(20, 2) + common + little(0, 2 + 2 + 2 + 4) + little(file.size(), 4) + entry.name;
    file += "PK\3\4" + common + entry.name + entry.data;
  }
  return file + directory + "PK\5\6" + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
         little(directory.size(), 4) + little(file.size(), 4) + little(0, 2);
}

// A checkpoint of `pickle` and storages data/0, data/1, ...
inline std::string checkpoint_file(const std::string& pickle, const std::vector<std::string>& storages = {}) {
  std::vector<ZipEntry> entries = {{"archive/data.pkl", pickle}, {"archive/byteorder", "little"}};
  for (std::size_t i = 0; i < storages.size(); ++i)
    entries.push_back({"archive/data/" + std::to_string(i), storages[i]});
  return zip_file(entries);
}

// --- the parts of a pickle

inline std::string text(const std::string& value) { return "X" + little(value.size(), 4) + value; }
inline std::string number(std::int64_t value) { return "\x8a\x08" + little(static_cast<std::uint64_t>(value), 8); }
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(const std::vector<std::int64_t>& numbers) {
  std::string all = "(";
  for (const std::int64_t value : numbers) all += number(value);
  return all + "t";
}

struct PickledTensor {
  std::vector<std::int64_t> shape = {2}, stride = {1};
  std::int64_t offset = 0, storage_size = 2;
  std::string type = "FloatStorage", key = "0";

  std::string pickle() const {
    return global("torch._utils", "_rebuild_tensor_v2") + "(" + "(" + text("storage") + global("torch", type) +
           text(key) + text("cpu") + number(storage_size) + "tQ" + number(offset) + tuple(shape) + tuple(stride) +
           "\x89" + global("collections", "OrderedDict") + ")R" + "tR";
  }
};

// A dict of (name, pickled value).
inline std::string pickled_dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string all = "\x80\x02}(";
  for (const auto& [name, value] : items) all += text(name) + value;
  return all + "u.";
}

inline std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace posenc
