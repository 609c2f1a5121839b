// What hostile files can make the readers take: at most 64 MB and ten times the file. Not under the sanitizers, whose
// own memory would be measured.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checkpoint/hand_made.h"
#include "checkpoint/tensor_index.h"
#include "posenc/error.h"
#include "support/catch.h"

using namespace posenc;

namespace {

// Peak memory in MB that `work` adds to a process. What it throws does not matter.
template <typename Function>
double megabytes(const Function& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    try {
      work();
    } catch (const Error&) {
    }
    getrusage(RUSAGE_SELF, &after);
    const double grown = static_cast<double>(after.ru_maxrss - before.ru_maxrss) / 1024;
    _exit(write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  close(ends[1]);
  double grown = -1;
  CHECK(read(ends[0], &grown, sizeof grown) == sizeof grown);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  return grown;
}

std::string repeated(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

void check_pickle(const std::string& name, const std::string& pickle) {
  INFO(name << ", " << pickle.size() << " bytes");
  const double grown = megabytes([&] { read_pickle(pickle); });
  CAPTURE(grown);
  CHECK(grown < 64 + 10 * static_cast<double>(pickle.size()) / 1048576);
  CHECK(grown >= 0);
}

}  // namespace

TEST_CASE("no file takes more memory than its size allows", "[checkpoint]") {
  constexpr std::size_t kMany = (std::size_t{1} << 20) - 1;
  const std::string memo("q\0", 2), recall("h\0", 2);
  check_pickle("marks", repeated(kMany, "("));
  check_pickle("empty dicts", repeated(kMany, "}"));
  check_pickle("memo", "}" + memo + repeated(kMany / 2, recall + memo));
  std::string memos = "}";
  for (std::size_t i = 0; i < kMany - 2; ++i) memos += "r" + little(i, 4);
  check_pickle("a long memo", memos);
  check_pickle("nested tuples", ")" + repeated(kMany - 1, "\x85"));
  check_pickle("wide tuples", "(" + repeated(kMany / 2, "}") + "t" + repeated(kMany / 2 - 4, "}"));
  check_pickle("items of one dict", "}(" + repeated(kMany - 10, text("")) + "u.");
  const std::string tensor = PickledTensor().pickle();
  check_pickle("one tensor under one name",
               "\x80\x02}(" + text("a") + memo + tensor + "q\1" + repeated(kMany / 2 - 30, recall + "h\1") + "u.");
  std::string names, keys;
  PickledTensor long_key;
  long_key.key = std::string(256, 'k');
  const std::string shared = long_key.pickle();
  for (std::size_t i = 0; i < 40000; ++i) names += text(std::string(250, 'n') + std::to_string(i)) + "h\1";
  check_pickle("many names", "\x80\x02" + text("") + memo + shared + "q\1" + "}(" + names + "u.");
  check_pickle("many globals", repeated(kMany, global("torch", "FloatStorage")));
  check_pickle("many storages", "(" + text("storage") + global("torch", "FloatStorage") + text("0") + text("cpu") +
                                    "K\1t" + memo + "Q" + repeated(kMany / 2 - 10, recall + "Q"));
  check_pickle("many parameters", tensor + "\x88}\x87" + memo + "}" +
                                      repeated(kMany / 4, global("torch._utils", "_rebuild_parameter") + recall + "R"));

  std::vector<ZipEntry> entries;
  for (const std::size_t length : {1, 4, 200}) {
    entries.clear();
    for (std::size_t i = 0; i < 60000; ++i) {
      std::string name = std::to_string(i);
      name.resize(std::max(name.size(), length), 'n');
      entries.push_back({length == 1 ? "" : name, ""});
    }
    const std::string file = zip_file(entries), directory = file.substr(file.find("PK\1\2"));
    INFO("entries of an archive, " << directory.size() << " bytes");
    CHECK(megabytes([&] { Archive::of_bytes(file); }) < 64 + 10 * static_cast<double>(directory.size()) / 1048576);
  }
}
