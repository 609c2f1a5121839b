#!/usr/bin/env bash
# Prints how many compilers to run at once: CMAKE_BUILD_PARALLEL_LEVEL where it is set, else the processors that this process
# may use, or fewer where memory is short.
# It looks at the quota of the control group that is mounted, which in a container is the container's own; not at groups
# below it.
set -euo pipefail

if [[ -n ${CMAKE_BUILD_PARALLEL_LEVEL:-} ]]; then
  echo "$CMAKE_BUILD_PARALLEL_LEVEL"
  exit
fi

jobs=$(nproc)
quota=max period=0 groups=/sys/fs/cgroup
if [[ -r $groups/cpu.max ]]; then
  read -r quota period <"$groups/cpu.max"
elif [[ -r $groups/cpu/cpu.cfs_quota_us && -r $groups/cpu/cpu.cfs_period_us ]]; then
  quota=$(<"$groups/cpu/cpu.cfs_quota_us") period=$(<"$groups/cpu/cpu.cfs_period_us")
fi
if [[ $quota =~ ^[0-9]+$ ]] && ((period > 0)); then
  share=$(((quota + period - 1) / period))
  ((share >= jobs)) || jobs=$share
fi

# A file that includes torch takes the compiler up to 2 GB.
memory=$(awk '/^MemAvailable/ { print int($2 / 1.5e6) }' /proc/meminfo)
((memory >= jobs)) || jobs=$memory
((jobs >= 1)) || jobs=1
echo "$jobs"
