// The two files that Python wrote, damaged at random: either one line says what is wrong, or the values are right.
#include <iterator>
#include <random>

#include "checkpoint/tensor_index.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

struct Loaded {
  std::vector<TensorEntry> tensors;
  std::vector<std::string> storages;
};

std::string file_bytes(const std::string& name) {
  std::ifstream file(std::string(POSENC_SOURCE_DIR) + "/tests/golden/checkpoint-" + name + ".pt", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Loaded load(const std::string& bytes) {
  const Archive archive = Archive::of_bytes(bytes);
  Loaded loaded{read_index(archive), {}};
  for (const TensorEntry& tensor : loaded.tensors)
    loaded.storages.push_back(archive.read(storage_entry(archive, tensor)));
  return loaded;
}

bool equal(const Loaded& a, const Loaded& b) {
  const auto same = [](const TensorEntry& x, const TensorEntry& y) {
    return x.name == y.name && x.shape == y.shape && x.stride == y.stride && x.offset == y.offset;
  };
  return a.storages == b.storages &&
         std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(), same);
}

// True when the load succeeded with the right values; a refusal must be one line of printable text.
bool survives(const std::string& bytes, const Loaded& original) {
  try {
    const Loaded loaded = load(bytes);
    REQUIRE(equal(loaded, original));
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
    REQUIRE_FALSE(message.empty());
    REQUIRE(std::all_of(message.begin(), message.end(), printable));
    return false;
  }
}

}  // namespace

TEST_CASE("damaged checkpoints are refused in a line or read right", "[checkpoint]") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  for (const std::string name : {"learnable", "fixed"}) {
    const std::string good = file_bytes(name);
    const Loaded original = load(good);
    REQUIRE_FALSE(original.tensors.empty());
    int survived = 0, refused = 0;
    for (int i = 0; i < 2500; ++i) {
      std::string bad = good;
      if (i % 5 == 0) {
        bad.resize(below(bad.size()));
      } else {
        for (std::size_t flips = 1 + below(4); flips-- > 0;)
          bad[below(bad.size())] ^= static_cast<char>(1 + below(255));
      }
      ++(survives(bad, original) ? survived : refused);
    }
    CHECK(survived > 100);  // most of a file is padding
    CHECK(refused > 1000);
  }
}

TEST_CASE("no byte of a checkpoint matters without being checked", "[checkpoint]") {
  const std::string good = file_bytes("learnable");
  const Loaded original = load(good);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= static_cast<char>(1 << (i % 8));
    survives(bad, original);
  }
}
