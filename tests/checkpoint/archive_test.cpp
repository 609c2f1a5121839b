#include "checkpoint/archive.h"

#include "checkpoint/hand_made.h"
#include "checkpoint/tensor_index.h"
#include "posenc/error.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::string refusal(const std::string& bytes) {
  try {
    const Archive archive = Archive::of_bytes(bytes);
    for (const TensorEntry& tensor : read_index(archive)) archive.read(storage_entry(archive, tensor));
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::usage);
    return error.what();
  }
  return "";
}

const std::string kPickle = pickled_dict({{"a", PickledTensor().pickle()}});

}  // namespace

TEST_CASE("an archive is read whatever its folder is called", "[checkpoint]") {
  for (const std::string folder : {"archive", "model v2.final", "x"}) {
    const std::string bytes = zip_file({{folder + "/data.pkl", kPickle}, {folder + "/data/0", floats({1, 2})}});
    const Archive archive = Archive::of_bytes(bytes);
    const std::vector<TensorEntry> tensors = read_index(archive);
    REQUIRE(tensors.size() == 1);
    CHECK(tensors[0].name == "a");
    CHECK(archive.read(storage_entry(archive, tensors[0])) == floats({1, 2}));
    CHECK(archive.find("data/1") == nullptr);
  }
}

TEST_CASE("files that are no checkpoint are refused with what they are", "[checkpoint]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(Archive::open(folder.path("none.pt")), "No such file or directory");
  CHECK_THROWS_WITH(Archive::open(folder.path()), "not a file but a folder");
  CHECK_THROWS_WITH(Archive::open("/dev/zero"), "not a file but a device");
  CHECK_THROWS_WITH(Archive::open(folder.file("empty.pt", "")), StartsWith("not a zip archive"));
  CHECK_THROWS_WITH(Archive::open(folder.file("text.pt", "hello")), StartsWith("not a zip archive"));
  CHECK_FALSE(refusal("").empty());
  CHECK_THAT(refusal(std::string(100000, 'x')), StartsWith("not a zip archive"));
  CHECK_THAT(refusal(zip_file({})), ContainsSubstring("no data.pkl"));
  CHECK_THAT(refusal(zip_file({{"archive/constants.pkl", kPickle}})), ContainsSubstring("no data.pkl"));
  CHECK_THAT(refusal(zip_file({{"data.pkl", kPickle}})), ContainsSubstring("no data.pkl"));
  CHECK_THAT(refusal(zip_file({{"a/b/data.pkl", kPickle}})), ContainsSubstring("no data.pkl"));
  CHECK_THAT(refusal(zip_file({{"a/data.pkl", kPickle}, {"b/data.pkl", kPickle}})), StartsWith("two data.pkl"));
}

TEST_CASE("entries that are not stored as they are get refused by name", "[checkpoint]") {
  const ZipEntry pickle{"a/data.pkl", kPickle}, storage{"a/data/0", floats({1, 2})};
  REQUIRE(refusal(zip_file({pickle, storage})).empty());
  ZipEntry bad = storage;
  bad.method = 8;
  CHECK(refusal(zip_file({pickle, bad})) == "entry a/data/0 is compressed (given method 8, allowed: stored)");
  bad = storage;
  bad.flags = 1;
  CHECK(refusal(zip_file({pickle, bad})) == "entry a/data/0 is encrypted");
  bad = storage;
  bad.claimed_size = 0xfffffff0;
  CHECK_THAT(refusal(zip_file({pickle, bad})),
             StartsWith("entry a/data/0 is not as large as it says (given 4294967280"));
  bad = storage;
  bad.claimed_size = 12;  // reaches into the directory
  CHECK_THAT(refusal(zip_file({pickle, bad})),
             StartsWith("entry a/data/0 is damaged") || StartsWith("the storage of a"));
  CHECK(refusal(zip_file({pickle, storage, storage})) == "entry a/data/0 is there twice");
  CHECK_THAT(refusal(zip_file({pickle, {"a/other\n\x1b[31m", "", 8}})),
             StartsWith("entry a/other\\x0a\\x1b[31m is compressed"));
}

TEST_CASE("entries that lie over each other are refused, so that a file cannot hold more than itself", "[checkpoint]") {
  std::vector<ZipEntry> entries = {{"a/data.pkl", kPickle}};
  for (int i = 0; i < 10; ++i) entries.push_back({"a/data/" + std::to_string(i), std::string(1000, 'x')});
  std::string bytes = zip_file(entries);
  REQUIRE_THAT(refusal(bytes), StartsWith("the storage of a has the wrong size"));
  for (int i = 0; i < 10; ++i) entries[static_cast<std::size_t>(i) + 1].claimed_size = 9000;
  CHECK_THAT(refusal(zip_file(entries)), StartsWith("the entries are larger than the file"));
}

TEST_CASE("storages must be there with the size that the pickle says", "[checkpoint]") {
  CHECK_THAT(refusal(checkpoint_file(kPickle)), StartsWith("the storage of a is not in the archive (given data/0)"));
  CHECK_THAT(refusal(checkpoint_file(kPickle, {"123"})), StartsWith("the storage of a has the wrong size"));
  CHECK_THAT(refusal(checkpoint_file(kPickle, {floats({1, 2, 3})})), StartsWith("the storage of a has the wrong size"));
  CHECK_THAT(refusal(zip_file({{"a/data.pkl", kPickle}, {"a/data/0", floats({1, 2})}, {"a/byteorder", "big"}})),
             ContainsSubstring("given byteorder big"));
  PickledTensor huge;
  huge.shape = {std::int64_t{1} << 40};
  huge.storage_size = std::int64_t{1} << 40;
  CHECK_THAT(
      refusal(checkpoint_file(pickled_dict({{"a", huge.pickle()}}), {floats({1, 2})})),
      StartsWith("the storage of a has the wrong size (given 1099511627776 numbers, the archive holds 8 bytes)"));
}

TEST_CASE("an archive that was written without checksums is read, and one that lacks a single one is not",
          "[checkpoint]") {
  std::vector<ZipEntry> entries = {{"a/data.pkl", kPickle}, {"a/byteorder", "little"}, {"a/data/0", floats({1, 2})}};
  for (ZipEntry& entry : entries) entry.has_checksum = false;
  const std::string bytes = zip_file(entries);
  const Archive archive = Archive::of_bytes(bytes);
  CHECK(archive.read(storage_entry(archive, read_index(archive).front())) == floats({1, 2}));
  entries[0].has_checksum = true;
  CHECK_THAT(refusal(zip_file(entries)), StartsWith("entry a/byteorder is damaged"));
  entries[1].has_checksum = true;
  CHECK_THAT(refusal(zip_file(entries)), StartsWith("entry a/data/0 is damaged"));
}

TEST_CASE("a damaged entry is noticed", "[checkpoint]") {
  std::string bytes = checkpoint_file(kPickle, {floats({1, 2})});
  REQUIRE(refusal(bytes).empty());
  bytes[bytes.find(floats({1, 2}))] ^= 1;
  CHECK_THAT(refusal(bytes), StartsWith("entry archive/data/0 is damaged"));
}
