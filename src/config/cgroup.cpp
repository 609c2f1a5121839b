#include "config/cgroup.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace posenc {
namespace {

namespace fs = std::filesystem;

// The first number of a file; nothing where there is no such file or it starts with a word, as "max".
std::optional<double> number_in(const fs::path& file) {
  std::ifstream stream(file);
  double number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

// The number behind `key` in a file of lines such as "inactive_file 4096".
double number_of_key(const fs::path& file, const std::string& key) {
  std::ifstream stream(file);
  double number = 0;
  for (std::string name; stream >> name >> number;)
    if (name == key) return number;
  return 0;
}

void tighten(std::optional<double>& limit, double other) { limit = limit ? std::min(*limit, other) : other; }

// A hierarchy of groups as it is mounted: one of version 2, or one of version 1 for a controller such as "cpu".
struct Hierarchy {
  std::string root;  // the group that is mounted
  fs::path mounted_at;
};

// By controller; version 2 has all of them in one, under "".
std::map<std::string, Hierarchy> mounted_hierarchies(const std::string& root) {
  std::map<std::string, Hierarchy> found;
  std::ifstream stream(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(stream, line);) {
    // "35 31 0:32 ROOT MOUNT_POINT rw,relatime shared:9 - cgroup cgroup rw,memory"
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string skipped, type, source, options;
    Hierarchy hierarchy;
    std::string mount_point;
    before >> skipped >> skipped >> skipped >> hierarchy.root >> mount_point;
    after >> type >> source >> options;
    hierarchy.mounted_at = root + mount_point;
    if (type == "cgroup2") found.try_emplace("", hierarchy);
    if (type != "cgroup") continue;
    std::istringstream controllers(options);
    for (std::string controller; std::getline(controllers, controller, ',');) found.try_emplace(controller, hierarchy);
  }
  return found;
}

// The folders of the group at `path` and of all above it that are mounted here.
std::vector<fs::path> folders_of(const std::string& path, const Hierarchy& hierarchy) {
  const std::string& mounted = hierarchy.root;
  std::string below;  // empty where the group is not under the one that is mounted: a container sees no more than that
  if (mounted == "/") {
    below = path;
  } else if (path.starts_with(mounted + "/")) {
    below = path.substr(mounted.size());
  }
  std::vector<fs::path> folders = {hierarchy.mounted_at};
  for (const fs::path& name : fs::path(below).relative_path())
    if (!name.empty()) folders.push_back(folders.back() / name);
  return folders;
}

void add_processors(CgroupLimits& limits, std::optional<double> quota, std::optional<double> period) {
  if (quota && period && *quota > 0 && *period > 0) tighten(limits.processors, *quota / *period);
}

void add_memory(CgroupLimits& limits, std::optional<double> limit, const fs::path& used, const fs::path& folder,
                const char* reclaimable) {
  constexpr double kUnlimited = 9e18;  // version 1 writes the greatest number of pages
  if (!limit || *limit >= kUnlimited) return;
  const double taken = number_in(used).value_or(0) - number_of_key(folder / "memory.stat", reclaimable);
  tighten(limits.memory, std::max(0.0, *limit - std::max(0.0, taken)));
}

void add_version_2(CgroupLimits& limits, const fs::path& folder) {
  std::ifstream cpu(folder / "cpu.max");
  double quota = 0, period = 0;
  if (cpu >> quota >> period) add_processors(limits, quota, period);
  for (const char* limit : {"memory.max", "memory.high"})  // above the second a process hardly gets on
    add_memory(limits, number_in(folder / limit), folder / "memory.current", folder, "inactive_file");
}

void add_version_1(CgroupLimits& limits, const std::string& controller, const fs::path& folder) {
  if (controller == "cpu")
    add_processors(limits, number_in(folder / "cpu.cfs_quota_us"), number_in(folder / "cpu.cfs_period_us"));
  if (controller == "memory")
    add_memory(limits, number_in(folder / "memory.limit_in_bytes"), folder / "memory.usage_in_bytes", folder,
               "total_inactive_file");
}

}  // namespace

CgroupLimits cgroup_limits(const std::string& root) {
  CgroupLimits limits;
  const std::map<std::string, Hierarchy> hierarchies = mounted_hierarchies(root);
  std::ifstream stream(root + "/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {  // "4:cpu,cpuacct:/group", "0::/group" for version 2
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string path = line.substr(second + 1);
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) {
      if (const auto found = hierarchies.find(""); found != hierarchies.end())
        for (const fs::path& folder : folders_of(path, found->second)) add_version_2(limits, folder);
      continue;
    }
    std::istringstream names(controllers);
    for (std::string name; std::getline(names, name, ',');)
      if (const auto found = hierarchies.find(name); found != hierarchies.end())
        for (const fs::path& folder : folders_of(path, found->second)) add_version_1(limits, name, folder);
  }
  return limits;
}

}  // namespace posenc
