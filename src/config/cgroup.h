// What the control groups of Linux, which containers are made of, leave to this process.
#pragma once

#include <optional>
#include <string>

namespace posenc {

struct CgroupLimits {
  std::optional<double> processors;  // processor time a second: 1.5 is one and a half processors
  std::optional<double> memory;      // bytes that may still be taken, with what the kernel can reclaim
};

// The tightest limits of the process's own group and of all groups above it, of version 1 or 2; nothing where there is
// none. `root` stands before every path, so that a test can have files of its own.
CgroupLimits cgroup_limits(const std::string& root = "");

}  // namespace posenc
