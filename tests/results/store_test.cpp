#include "results/store.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "posenc/error.h"
#include "support/catch.h"
#include "support/forged_line.h"
#include "support/plain_catalog.h"
#include "support/some_record.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

std::string three_runs(const TemporaryFolder& folder) {
  Store store(folder.path("out"), plain_catalog());
  for (const int seed : {1, 2, 3}) store.append(some_record(seed));
  return folder.path("out");
}

// Every file below a folder with its text.
std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    files[entry.path().string()] = entry.is_regular_file() ? read_whole_file(entry.path().string()) : "";
  return files;
}

}  // namespace

TEST_CASE("what was appended is found by the next process", "[results]") {
  const TemporaryFolder folder;
  const Store store(three_runs(folder), plain_catalog());
  CHECK(store.damage().empty());
  for (const int seed : {1, 2, 3}) {
    const RunRecord* found = store.find(some_record(seed).run_id);
    REQUIRE(found != nullptr);
    CHECK(to_line(*found) == to_line(some_record(seed)));
  }
  CHECK(store.find(some_record(4).run_id) == nullptr);
}

TEST_CASE("of two lines with one id the later counts", "[results]") {
  const TemporaryFolder folder;
  RunRecord later = some_record(2);
  later.result.epochs.back().val_acc = 0.25;
  { Store(three_runs(folder), plain_catalog()).append(later); }
  const Store store(folder.path("out"), plain_catalog());
  CHECK(store.find(later.run_id)->result.last().val_acc == 0.25);
}

TEST_CASE("every kind of damage is named, and none is taken for a result", "[results]") {
  const TemporaryFolder folder;
  const std::string file = three_runs(folder) + "/runs.jsonl";
  const std::string good = read_whole_file(file);
  const std::set<std::string> lines = {to_line(some_record(1)), to_line(some_record(2)), to_line(some_record(3))};
  std::filesystem::create_directory(folder.path("broken"));
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string broken = good;
    if (i % 2 == 0) {
      broken[random() % broken.size()] ^= static_cast<char>(1 + random() % 255);
    } else {
      broken.resize(random() % broken.size());
    }
    folder.file("broken/runs.jsonl", broken);
    const StoredRuns stored = read_runs(folder.path("broken"), plain_catalog());
    for (const RunRecord& record : stored.records.all()) CHECK(lines.contains(to_line(record)));
    const bool whole_lines =
        broken.empty() || (good.starts_with(broken) && good[broken.size() - 1] == '\n') || good[broken.size()] == '\n';
    const bool cut_at_line_end = i % 2 == 1 && whole_lines;
    CHECK(stored.damaged.empty() == cut_at_line_end);
  }
}

TEST_CASE("a damaged line is moved aside and later lines stay whole", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder), file = out + "/runs.jsonl";
  std::string text = read_whole_file(file);
  text.resize(text.size() - 20);  // as a power cut leaves it
  folder.file("out/runs.jsonl", text);
  {
    Store store(out, plain_catalog());
    REQUIRE(store.damage().size() == 1);
    CHECK_THAT(store.damage()[0], ContainsSubstring("runs.jsonl:3: damaged line"));
    CHECK(store.find(some_record(3).run_id) == nullptr);
    store.append(some_record(4));
  }
  const Store store(out, plain_catalog());
  CHECK(store.damage().empty());
  CHECK(store.find(some_record(2).run_id) != nullptr);
  CHECK(store.find(some_record(4).run_id) != nullptr);
  CHECK(read_whole_file(file + ".damaged").size() > 100);
}

TEST_CASE("a line whose line break was cut is still a result", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder);
  std::string text = read_whole_file(out + "/runs.jsonl");
  text.pop_back();
  folder.file("out/runs.jsonl", text);
  { Store(out, plain_catalog()).append(some_record(4)); }
  const Store store(out, plain_catalog());
  CHECK(store.damage().empty());
  for (const int seed : {1, 2, 3, 4}) CHECK(store.find(some_record(seed).run_id) != nullptr);
}

TEST_CASE("lines that end as Windows ends them are results, and stay as they are", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder), file = out + "/runs.jsonl";
  std::string text;
  for (const int seed : {1, 2, 3}) text += to_line(some_record(seed)) + "\r\n";
  for (const std::string end : {"", "\n", "\r\n"}) {  // the last line's break may be cut, and cut in half
    const std::string stored = text.substr(0, text.size() - 2) + (end == "\n" ? "\r" : end);
    folder.file("out/runs.jsonl", stored);
    {
      Store store(out, plain_catalog());
      CHECK(store.damage().empty());
      for (const int seed : {1, 2, 3}) CHECK(store.find(some_record(seed).run_id) != nullptr);
      store.append(some_record(4));
    }
    CHECK(read_whole_file(file) == stored + (end == "\r\n" ? "" : "\n") + to_line(some_record(4)) + "\n");
    CHECK(read_runs(out, plain_catalog()).records.all().size() == 4);
  }
}

TEST_CASE("what earlier releases stored is found under either form of its id, and stays as it is", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder), id = some_record(1).run_id, digits = id.substr(1);
  auto json = parsed(some_record(1));
  json["run_id"] = digits;
  const std::string former = sealed(json) + "\n";
  folder.file("out/runs.jsonl", former + "{\"torn\":\n");  // whose removal rewrites the file
  folder.file("out/models/" + digits + ".pt", "model");
  {
    Store store(out, plain_catalog());
    CHECK(store.damage().size() == 1);
    for (const std::string& form : {id, digits}) {
      REQUIRE(store.find(form) != nullptr);
      CHECK(store.find(form)->run_id == id);
    }
    CHECK(store.without_model({id}).empty());
    store.append(some_record(2));
    store.write_exports({});
  }
  CHECK(read_whole_file(out + "/runs.jsonl") == former + to_line(some_record(2)) + "\n");
  CHECK(read_whole_file(out + "/models/" + digits + ".pt") == "model");
  CHECK_THAT(read_whole_file(out + "/runs.csv"), ContainsSubstring("\n" + id + ","));
}

TEST_CASE("a folder that another release wrote to is refused and not touched", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder);
  const std::string manifest = read_whole_file(out + "/manifest.json"), good = read_whole_file(out + "/runs.jsonl");
  auto json = parsed(some_record(4));
  json["config"]["frobnicate"] = 3;
  const std::string later = sealed(json) + "\n";
  folder.file("out/runs.csv.partial-77-0", "x");
  struct Case {
    std::string name, text, message;
  };
  const std::vector<Case> cases = {
      {"runs.jsonl", good + "{\"torn\":\n" + later + later,
       "runs.jsonl:5: of another release, since this one does not know config.frobnicate, and 1 more line; read the "
       "folder with the release of posenc that wrote it"},
      {"manifest.json", R"({"schema":3,"invocations":[]})",
       "manifest.json: results of another schema (given 3, allowed: 2); read"},
      {"manifest.json", R"({"schema":2,"invocations":7})", "manifest.json is damaged (to go on without it, write"},
      {"manifest.json", R"(["schema"])", "manifest.json is damaged"},
      {"manifest.json", "\xff{", "manifest.json is damaged"},
      {"manifest.json", "", "manifest.json is damaged"},
  };
  for (const auto& [name, text, message] : cases) {
    folder.file("out/manifest.json", manifest);
    folder.file("out/runs.jsonl", good);
    folder.file("out/" + name, text);
    for (const bool with_lock : {true, false}) {
      if (!with_lock) std::filesystem::remove(out + "/lock");
      const auto before = files_in(out);
      INFO(message);
      CHECK_THROWS_WITH(Store(out, plain_catalog()), ContainsSubstring(message));
      CHECK(files_in(out) == before);
    }
  }
}

TEST_CASE("finished runs whose model is gone are known", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder);
  RunRecord diverged = some_record(4);
  diverged.result.status = RunResult::Status::diverged;
  Store store(out, plain_catalog());
  store.append(diverged);
  replace_file(store.model_path(some_record(2).run_id), "model");
  std::vector<std::string> ids;
  for (const int seed : {1, 2, 3, 4, 5}) ids.push_back(some_record(seed).run_id);
  CHECK(store.without_model(ids) == std::vector<std::string>{ids[0], ids[2]});
}

TEST_CASE("a folder serves one process at a time, which is named to the second", "[results]") {
  const TemporaryFolder folder;
  const Store first(folder.path("out"), plain_catalog());
  CHECK_THROWS_WITH(Store(folder.path("out"), plain_catalog()),
                    ContainsSubstring("in use by process " + std::to_string(getpid()) + " on " + host_name()));
}

TEST_CASE("a process that died leaves a folder that opens", "[results]") {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    Store store(folder.path("out"), plain_catalog());
    store.append(some_record(1));
    _exit(0);  // without any destructor, as after kill -9
  }
  waitpid(child, nullptr, 0);
  CHECK(Store(folder.path("out"), plain_catalog()).find(some_record(1).run_id) != nullptr);
}

TEST_CASE("what is no folder of results is refused and left alone", "[results]") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(Store(folder.file("file", "x"), plain_catalog()), ContainsSubstring("not a folder (given"));
  const std::string out = three_runs(folder);
  std::filesystem::remove(out + "/manifest.json");
  CHECK_THROWS_WITH(Store(out, plain_catalog()), ContainsSubstring("manifest.json is missing"));
  folder.file("out/manifest.json", "{\"schema\":2,\"invocations\":[]}");
  std::filesystem::remove(out + "/runs.jsonl");
  CHECK_THROWS_WITH(Store(out, plain_catalog()), ContainsSubstring("runs.jsonl is missing"));
  std::filesystem::create_directory(folder.path("photos"));
  folder.file("photos/cat.jpg", "x");
  CHECK_THROWS_AS(Store(folder.path("photos"), plain_catalog()), Error);
  CHECK_FALSE(std::filesystem::exists(folder.path("photos/runs.jsonl")));
  CHECK_THROWS_AS(Store("/proc/nowhere", plain_catalog()), Error);
  CHECK_THROWS_AS(Store("", plain_catalog()), Error);
}

TEST_CASE("an empty folder and one abandoned while it was made become folders of results", "[results]") {
  const TemporaryFolder folder;
  for (const char* name : {"empty", "abandoned"}) std::filesystem::create_directory(folder.path(name));
  folder.file("abandoned/lock", "process 1 on nowhere");
  folder.file("abandoned/runs.jsonl", "");
  folder.file("abandoned/manifest.json.partial-1-0", "{");
  for (const char* name : {"empty", "abandoned"})
    CHECK_NOTHROW(Store(folder.path(name), plain_catalog()).append(some_record(1)));
}

TEST_CASE("files that a killed process left half-written are removed", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder);
  folder.file("out/runs.csv.partial-77-0", "x");
  folder.file("out/models/a.pt.partial-77-1", "x");
  const Store store(out, plain_catalog());
  CHECK_FALSE(std::filesystem::exists(out + "/runs.csv.partial-77-0"));
  CHECK_FALSE(std::filesystem::exists(out + "/models/a.pt.partial-77-1"));
}

TEST_CASE("exports follow the plan, then the order of the file", "[results]") {
  const TemporaryFolder folder;
  const Store store(three_runs(folder), plain_catalog());
  store.write_exports({some_record(3).run_id, some_record(9).run_id});
  const std::string csv = read_whole_file(folder.path("out/runs.csv"));
  const auto at = [&](int seed) { return csv.find("\n" + some_record(seed).run_id + ","); };
  CHECK(at(3) < at(1));
  CHECK(at(1) < at(2));
  CHECK(at(9) == std::string::npos);
  CHECK_THAT(read_whole_file(folder.path("out/epochs.csv")),
             StartsWith("run_id,epoch,train_loss,val_acc\n" + some_record(3).run_id + ",1,0.175,0.5\n"));
}

TEST_CASE("the manifest keeps every invocation", "[results]") {
  const TemporaryFolder folder;
  for (int i = 0; i < 2; ++i) {
    Store store(folder.path("out"), plain_catalog());
    store.write_manifest({{"number", i}, {"ended", nullptr}});
    store.write_manifest({{"number", i}, {"ended", "now"}});
  }
  const auto manifest = nlohmann::json::parse(read_whole_file(folder.path("out/manifest.json")));
  REQUIRE(manifest["invocations"].size() == 2);
  CHECK(manifest["invocations"][1] == nlohmann::json({{"number", 1}, {"ended", "now"}}));
}

TEST_CASE("a disk that fills up cuts the file back to its last whole line", "[results]") {
  const TemporaryFolder folder;
  const std::string out = three_runs(folder), before = read_whole_file(out + "/runs.jsonl");
  const pid_t child = fork();
  if (child == 0) {
    Store store(out, plain_catalog());
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{before.size() + 100, before.size() + 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      store.append(some_record(4));
    } catch (const Error& error) {
      _exit(error.kind() == Error::Kind::failure ? 7 : 8);
    }
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(read_whole_file(out + "/runs.jsonl") == before);
}
