#!/usr/bin/env bash
# Builds posenc for ARM (aarch64) with a cross compiler and runs it by qemu: the tests of the kernels, and a golden run of
# five epochs, whose losses must be those that PyTorch computed on x86, to 1e-6. All of it happens in a Debian 12 root of
# its own in FOLDER, outside the repository, which a later call uses again.
# usage: scripts/check_aarch64.sh FOLDER. It takes root for chroot, debootstrap, 5 GB of disk and about 20 minutes of CPU.
# POSENC_DEBIAN_MIRROR is where Debian's packages come from, by default the first Debian mirror of this machine's apt.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
golden=$root/tests/golden/golden-learnable-0-short.json

say() { echo "check_aarch64: $*" >&2; }
die() { say "${@:2}"; exit "$1"; }

[[ $# == 1 && $1 != -* ]] || die 2 "usage: scripts/check_aarch64.sh FOLDER"
((EUID == 0)) || die 2 "this takes root, for chroot and debootstrap: please type  sudo scripts/check_aarch64.sh $1"
[[ $(uname -m) == x86_64 ]] || die 2 "this cross-compiles from x86_64; on $(uname -m) scripts/test.sh tests natively"
command -v debootstrap >/dev/null || die 2 "debootstrap is missing: apt-get install debootstrap"
folder=$(readlink -m "$1")
[[ $folder/ != "$root"/* ]] || die 2 "'$1' lies in the repository, where git would see it (allowed: a folder outside it)"
mkdir -p "$folder"

# Mounts live in a name space of their own, so that none is left behind however this ends.
if [[ ${POSENC_MOUNTS_ARE_PRIVATE:-} != yes ]]; then
  POSENC_MOUNTS_ARE_PRIVATE=yes exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$folder"
fi

debian=$folder/debian
mirror=${POSENC_DEBIAN_MIRROR:-}
if [[ -z $mirror ]] && command -v apt-get >/dev/null; then
  # shellcheck disable=SC2016  # the parentheses are apt-get's
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 -E '/debian/?$') || true
fi
mirror=${mirror:-http://deb.debian.org/debian}

# inside COMMAND...: runs it in the root, with the proxies of this environment and nothing else of it.
inside() {
  local variable keep=()
  for variable in http_proxy https_proxy no_proxy; do
    [[ -z ${!variable:-} ]] || keep+=("$variable=${!variable}")
  done
  chroot "$debian" env -i "${keep[@]}" HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive OMP_NUM_THREADS=1 "$@"
}

if [[ ! -d $debian ]]; then
  say "making a Debian 12 root from $mirror in $debian"
  rm -rf "$debian.partial"
  debootstrap --variant=minbase --arch=amd64 bookworm "$debian.partial" "$mirror" >"$folder/debootstrap.log" ||
    die 1 "debootstrap failed: its log is $folder/debootstrap.log"
  mv -T "$debian.partial" "$debian"
fi
mkdir -p "$debian/src" "$debian/libtorch"
cp /etc/resolv.conf "$debian/etc/resolv.conf"
mount -t proc proc "$debian/proc"
mount --bind "$root" "$debian/src"
mount -o remount,bind,ro "$debian/src"

if [[ ! -e $debian/packages.done ]]; then
  say "installing the cross compiler, qemu and the arm64 libraries in it"
  inside dpkg --add-architecture arm64
  inside apt-get -qq update
  inside apt-get -qq install -y --no-install-recommends g++-aarch64-linux-gnu cmake ninja-build qemu-user-static \
    libcli11-dev nlohmann-json3-dev {libboost-math-dev,libtomlplusplus-dev,libzip-dev,libhwy-dev,catch2}:arm64 \
    {libstdc++6,libc6}:arm64 >"$folder/packages.log" 2>&1 ||
    die 1 "apt-get failed: its log is $folder/packages.log"
  touch "$debian/packages.done"
fi

requirements=$(sha256sum <"$root/scripts/libtorch-cpu.txt")
libtorch=libtorch/cpu-${requirements:0:12}
if [[ ! -d $debian/$libtorch ]]; then
  say "fetching LibTorch for aarch64"
  rm -rf "$debian/$libtorch.partial"
  "$root/scripts/setup.sh" --fetch cpu aarch64 "$debian/$libtorch.partial"
  mv -T "$debian/$libtorch.partial" "$debian/$libtorch"
fi

cat >"$debian/aarch64.cmake" <<'EOF'
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
EOF
say "building"
inside cmake -G Ninja -S /src -B /build -DCMAKE_TOOLCHAIN_FILE=/aarch64.cmake -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_UNITY_BUILD=ON -DPOSENC_TORCH_DIR="/$libtorch/torch"
inside ninja -C /build posenc posenc_plain_tests

say "tests of the kernels"
inside qemu-aarch64-static /build/tests/posenc_plain_tests '[kernels]'

say "a golden run"
mapfile -t options < <(python3 - "$golden" <<'EOF'
import json, sys
names = {"train": "train-size", "val": "val-size", "batch": "batch-size", "every": "log-every"}
for name, value in json.load(open(sys.argv[1]))["args"].items():
    print(f"--{names.get(name, name).replace('_', '-')}={value}")
EOF
)
inside qemu-aarch64-static /build/posenc "${options[@]}" --json >"$folder/golden.jsonl"
python3 - "$golden" "$folder/golden.jsonl" <<'EOF'
import json, sys
expected = json.load(open(sys.argv[1]))["losses"]
losses = [line["train_loss"] for line in map(json.loads, open(sys.argv[2])) if "train_loss" in line]
assert len(losses) == len(expected), f"{len(losses)} epochs, expected {len(expected)}"
differences = [abs(a - b) for a, b in zip(losses, expected)]
print("losses differ from x86's by", ", ".join(f"{d:.1e}" for d in differences))
sys.exit(max(differences) > 1e-6)
EOF
say "all passed"
