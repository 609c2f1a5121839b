// Limits in files as the kernel's documentation has them: Documentation/admin-guide/cgroup-v1 and cgroup-v2.rst.
#include "config/cgroup.h"

#include <filesystem>
#include <memory>

#include "config/cores.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

using namespace posenc;

namespace {

class Machine {
 public:
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_->path(path)).parent_path());
    folder_->file(path, text);
  }
  CgroupLimits limits() const { return cgroup_limits(folder_->path()); }

 private:
  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
};

// A machine with version 2, whose process is in /system.slice/job.scope.
Machine version_2() {
  Machine machine;
  machine.write("proc/self/cgroup", "0::/system.slice/job.scope\n");
  machine.write("proc/self/mountinfo",
                "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  return machine;
}

// A machine with version 1, whose process is in `group` of the hierarchies that have `root` mounted.
Machine version_1(const std::string& group, const std::string& root) {
  Machine machine;
  machine.write("proc/self/cgroup", "5:cpu,cpuacct:" + group + "\n4:memory:" + group + "\n1:name=systemd:/\n0::/\n");
  machine.write("proc/self/mountinfo",
                "32 31 0:29 " + root +
                    " /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:3 - cgroup cgroup rw,cpu,cpuacct\n" +
                    "36 31 0:32 " + root + " /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
                    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  return machine;
}

}  // namespace

TEST_CASE("a quota of processor time is its share of the period, in version 2", "[config]") {
  const Machine machine = version_2();
  CHECK_FALSE(machine.limits().processors);
  machine.write("sys/fs/cgroup/system.slice/job.scope/cpu.max", "max 100000\n");
  CHECK_FALSE(machine.limits().processors);
  machine.write("sys/fs/cgroup/system.slice/job.scope/cpu.max", "100000 100000\n");
  CHECK(machine.limits().processors == 1.0);
  machine.write("sys/fs/cgroup/system.slice/job.scope/cpu.max", "150000 100000\n");
  CHECK(machine.limits().processors == 1.5);
}

TEST_CASE("a quota of processor time is its share of the period, in version 1", "[config]") {
  const Machine machine = version_1("/batch/7", "/");
  machine.write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_period_us", "50000\n");
  machine.write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_quota_us", "-1\n");
  CHECK_FALSE(machine.limits().processors);
  machine.write("sys/fs/cgroup/cpu,cpuacct/batch/7/cpu.cfs_quota_us", "125000\n");
  CHECK(machine.limits().processors == 2.5);
}

TEST_CASE("the tightest of a group and those above it counts", "[config]") {
  const Machine machine = version_2();
  machine.write("sys/fs/cgroup/system.slice/job.scope/cpu.max", "400000 100000\n");
  machine.write("sys/fs/cgroup/system.slice/cpu.max", "200000 100000\n");
  machine.write("sys/fs/cgroup/other.slice/cpu.max", "100000 100000\n");  // not above it
  CHECK(machine.limits().processors == 2.0);
  machine.write("sys/fs/cgroup/system.slice/job.scope/memory.max", "1000000\n");
  machine.write("sys/fs/cgroup/system.slice/job.scope/memory.current", "100000\n");
  machine.write("sys/fs/cgroup/system.slice/memory.max", "2000000\n");
  machine.write("sys/fs/cgroup/system.slice/memory.current", "1600000\n");
  CHECK(machine.limits().memory == 400000.0);
}

TEST_CASE("a container sees its own group as the whole hierarchy", "[config]") {
  const Machine machine = version_1("/docker/abc", "/docker/abc");
  machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  machine.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n");
  CHECK(machine.limits().processors == 1.0);
  CHECK(machine.limits().memory == 5000000.0);
}

TEST_CASE("memory that is left is the limit less what is taken and cannot be reclaimed", "[config]") {
  const Machine two = version_2();
  const std::string group = "sys/fs/cgroup/system.slice/job.scope/";
  two.write(group + "memory.max", "max\n");
  CHECK_FALSE(two.limits().memory);
  two.write(group + "memory.max", "1000000\n");
  two.write(group + "memory.current", "700000\n");
  two.write(group + "memory.stat", "anon 100000\ninactive_file 300000\nactive_file 200000\n");
  CHECK(two.limits().memory == 600000.0);
  two.write(group + "memory.high", "800000\n");  // above which the kernel slows the group down
  CHECK(two.limits().memory == 400000.0);
  two.write(group + "memory.current", "1500000\n");
  CHECK(two.limits().memory == 0.0);

  const Machine one = version_1("/batch", "/");
  one.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  one.write("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "1000000\n");
  one.write("sys/fs/cgroup/memory/batch/memory.usage_in_bytes", "700000\n");
  one.write("sys/fs/cgroup/memory/batch/memory.stat", "inactive_file 1\ntotal_inactive_file 300000\n");
  CHECK(one.limits().memory == 600000.0);
}

TEST_CASE("a machine without control groups has no limits", "[config]") {
  const Machine machine;
  CHECK_FALSE(machine.limits().processors);
  CHECK_FALSE(machine.limits().memory);
}

TEST_CASE("a share of a processor counts as one, and no quota makes more of them", "[config]") {
  const auto cores = [](double processors) { return cores_within(8, {.processors = processors, .memory = {}}); };
  CHECK(cores(1.0) == 1);
  CHECK(cores(1.5) == 2);
  CHECK(cores(0.1) == 1);
  CHECK(cores(8.0) == 8);
  CHECK(cores(64.0) == 8);
  CHECK(cores(1e300) == 8);
  CHECK(cores_within(8, {}) == 8);
}
