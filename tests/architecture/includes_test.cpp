// Which folder of src/ may include which: the floors of docs/ARCHITECTURE.md, read off every #include.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "support/catch.h"

namespace fs = std::filesystem;

namespace {

// From the top down: a folder includes itself and those after it. So no two folders can include each other.
constexpr std::array kFloors = {"cli",   "report",  "sweep",    "tools",      "results", "training",  "checkpoint",
                                "model", "limits",  "wrappers", "encodings",  "tasks",   "schedules", "curricula",
                                "nn",    "kernels", "config",   "statistics", "plot",    "base"};

// The folder that implements, or at the least knows, a header of include/posenc/.
const std::map<std::string, std::string> kPublic = {
    {"error", "base"},     {"value", "base"},        {"grid", "plot"},        {"run_config", "config"},
    {"catalog", "config"}, {"task", "tasks"},        {"wrapper", "wrappers"}, {"encoding", "encodings"},
    {"bounds", "limits"},  {"run", "training"},      {"inspect", "tools"},    {"attention", "tools"},
    {"sample", "tools"},   {"saved_model", "tools"}, {"bench", "tools"},      {"doctor", "tools"}};

std::optional<std::size_t> floor_of(const std::string& folder) {
  const auto* found = std::find(kFloors.begin(), kFloors.end(), folder);
  if (found == kFloors.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kFloors.begin());
}

// The folder of "training/run.h" or "posenc/run.h"; "" for what is none of ours.
std::string folder_of(const std::string& include) {
  const std::string folder = include.substr(0, include.find('/'));
  if (folder != "posenc") return include.find('/') == std::string::npos ? "" : folder;
  const auto header = kPublic.find(fs::path(include).stem().string());
  return header == kPublic.end() ? "posenc/ without a floor" : header->second;
}

struct Source {
  std::string path;  // below src/, or as it is included: "posenc/run.h"
  std::vector<std::string> includes;
};

// One sentence for each include that goes up, or to or from a folder without a floor.
std::vector<std::string> faults(const std::vector<Source>& sources) {
  std::vector<std::string> all;
  for (const Source& source : sources) {
    const auto from = floor_of(folder_of(source.path));
    if (!from) all.push_back(source.path + " lies in no folder with a floor");
    for (const std::string& include : source.includes) {
      const auto to = floor_of(folder_of(include));
      if (!to) all.push_back(source.path + " includes " + include + ", which has no floor");
      if (from && to && *to < *from) all.push_back(source.path + " includes " + include + ", which is above it");
    }
  }
  return all;
}

std::vector<Source> sources_in(const fs::path& root, const std::string& prefix) {
  static const std::regex pattern("^ *#include \"([^\"]+)\"");
  std::vector<Source> all;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    const std::string path = prefix + fs::relative(entry.path(), root).string();
    // main.cpp and catalog.cpp put the parts together and stand above all floors.
    if ((extension != ".cpp" && extension != ".h") || path.find('/') == std::string::npos) continue;
    Source source{path, {}};
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern)) source.includes.push_back(match[1]);
    }
    all.push_back(std::move(source));
  }
  return all;
}

std::vector<Source> sources() {
  const fs::path root = POSENC_SOURCE_DIR;
  std::vector<Source> all = sources_in(root / "src", ""), headers = sources_in(root / "include" / "posenc", "posenc/");
  all.insert(all.end(), headers.begin(), headers.end());
  return all;
}

}  // namespace

TEST_CASE("no file includes a folder above its own", "[architecture]") {
  const std::vector<Source> all = sources();
  CHECK(all.size() > 200);
  for (const std::string& fault : faults(all)) FAIL_CHECK(fault);
}

TEST_CASE("an include that goes up, or a folder without a floor, is a fault", "[architecture]") {
  CHECK(faults({{"config/resolve.cpp", {"config/fields.h", "base/files.h", "posenc/catalog.h"}}}).empty());
  CHECK(faults({{"config/resolve.cpp", {"tasks/registry.h"}}}).size() == 1);
  CHECK(faults({{"results/record.cpp", {"report/report.h", "sweep/plan.h"}}}).size() == 2);
  CHECK(faults({{"config/fields.cpp", {"posenc/run.h"}}}).size() == 1);
  CHECK(faults({{"posenc/catalog.h", {"posenc/run.h"}}}).size() == 1);
  CHECK(faults({{"helpers/misc.cpp", {}}}).size() == 1);
  CHECK(faults({{"cli/app.cpp", {"helpers/misc.h"}}}).size() == 1);
}
