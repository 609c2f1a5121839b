#!/usr/bin/env bash
# Installs what posenc's build needs and this machine lacks: Debian packages, and LibTorch in the repository's .libtorch/.
# With everything in place it does nothing, quickly; run.sh and test.sh call it every time (--quiet: no closing line).
# It builds nothing, and leaves the user's Python and any other LibTorch alone. Exit: 0 ready, 1 failed, 2 up to the user.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
store=$root/.libtorch

say() { echo "setup: $*" >&2; }
die() { say "${@:2}"; exit "$1"; }

# Says WHAT and how long it has taken every minute until stop_progress, where no terminal shows progress bars.
progress=""
start_progress() {
  local what=$1
  [[ ! -t 2 ]] || return 0
  {
    trap 'kill "$pause" 2>/dev/null; exit' TERM
    for ((minutes = 1; ; ++minutes)); do
      sleep 60 & pause=$!
      wait "$pause"
      say "$what ($minutes min)"
    done
  } 9>&- & # without the lock
  progress=$!
}
stop_progress() {
  [[ -z $progress ]] || kill "$progress" 2>/dev/null || true
  progress=""
}
trap stop_progress EXIT

# The program that makes a package unnecessary where it was installed by other means.
declare -A program=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [python3]=python3)
packages=(g++ cmake ninja-build libcli11-dev libtomlplusplus-dev nlohmann-json3-dev catch2 libboost-math-dev libzip-dev libhwy-dev python3)
[[ -n ${POSENC_TORCH_DIR:-} ]] || packages+=(python3-pip ca-certificates)

system_packages() {
  local package installed="" as_root=() missing=()
  if command -v dpkg-query >/dev/null; then
    # shellcheck disable=SC2016  # the braces are dpkg-query's
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  else # not Debian: only programs can be looked for; CMake names the headers that are missing
    packages=("${!program[@]}")
  fi
  for package in "${packages[@]}"; do
    [[ $installed == *"installed $package"$'\n'* || $installed == *"installed $package" ]] && continue
    [[ -n ${program[$package]:-} ]] && command -v "${program[$package]}" >/dev/null && continue
    missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    die 2 "not found: ${missing[*]}. Please install them, and CLI11, toml++, nlohmann-json, Catch2, Boost.Math, libzip and Highway."
  fi
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || die 2 "these packages are missing, and installing them takes root: ${missing[*]}
Please type:  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}
then run this again."
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]} (one to three minutes)"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300) output
  start_progress "still installing packages"
  output=$("${apt[@]}" update 2>&1) || say "apt-get update failed; trying with the package lists at hand"
  output+=$'\n'$("${apt[@]}" install -y --no-install-recommends "${missing[@]}" 2>&1) || {
    echo "$output" >&2
    die 1 "apt-get could not install ${missing[*]}"
  }
  stop_progress
}

# Prints "<set>-<hash of its requirements file>", the folder's name in .libtorch/.
folder_of() {
  local hash
  hash=$(sha256sum <"$root/scripts/libtorch-$1.txt")
  echo "$1-${hash:0:12}"
}

# What .libtorch/current points to, if it is complete, of the set asked for, and of the requirements file at hand.
installed() {
  local name
  name=$(readlink "$store/current" 2>/dev/null) && [[ -d $store/$name/torch ]] || return 1
  [[ -z ${POSENC_TORCH_SET:-} || $name == "$POSENC_TORCH_SET"-* ]] || return 1
  [[ -f $root/scripts/libtorch-${name%-*}.txt && $name == "$(folder_of "${name%-*}")" ]]
}

# The full set only helps where a driver answers that is recent enough for the CUDA release it was built with.
choose_set() {
  local cuda
  cuda=$(timeout 20 nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9]*\).*/\1/p') || true
  if [[ -z $cuda ]]; then
    echo cpu
  elif ((cuda < 13)); then
    say "the GPU driver is too old for this LibTorch (CUDA $cuda; it needs 13): taking the CPU set"
    echo cpu
  else
    echo full
  fi
}

# fetch SET PROCESSOR FOLDER: a set's wheels into a new folder, which is not left there when it fails.
fetch() {
  local set=$1 folder=$3 platform platforms=() python=python3 volume=(--quiet)
  # The wheels are those of one Python release whatever the user's, so that the hashes hold; LibTorch does not use Python.
  for platform in manylinux_2_28 manylinux_2_27 manylinux_2_25 manylinux_2_18 manylinux_2_17 manylinux2014 manylinux_2_12 \
    manylinux2010; do
    platforms+=(--platform "${platform}_$2")
  done
  if [[ -t 2 ]]; then volume=(); fi # progress bars
  start_progress "still fetching LibTorch"
  python3 -m pip --version >/dev/null 2>&1 || python=/usr/bin/python3 # Debian's pip belongs to Debian's Python
  mkdir -p "$folder/tmp"
  TMPDIR=$folder/tmp PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore \
    "$python" -m pip install "${volume[@]}" --disable-pip-version-check --no-cache-dir --no-compile --no-deps \
    --require-hashes --only-binary=:all: --implementation cp --python-version 3.11 --abi cp311 --abi none "${platforms[@]}" \
    --target "$folder" -r "$root/scripts/libtorch-$set.txt" >&2 || {
    rm -rf "$folder"
    die 1 "could not fetch LibTorch (pip's message is above); nothing was installed"
  }
  stop_progress
  rm -rf "$folder/tmp"
}

libtorch() {
  local set=${POSENC_TORCH_SET:-} arch name partial need free
  [[ $set == "" || $set == cpu || $set == full ]] || die 2 "POSENC_TORCH_SET is '$set'; it takes cpu or full"
  installed && return
  arch=$(uname -m)
  [[ $(uname -s) == Linux && ($arch == x86_64 || $arch == aarch64) ]] ||
    die 2 "no LibTorch to fetch for $(uname -s) on $arch: please set POSENC_TORCH_DIR to one of your own"
  mkdir -p "$store"
  exec 9>"$store/lock"
  flock -n 9 || { say "waiting for another setup to finish"; flock 9; }
  installed && return
  [[ -n $set ]] || set=$(choose_set)
  name=$(folder_of "$set")
  partial=$store/$name.partial
  rm -rf "$store"/*.partial
  if [[ ! -d $store/$name/torch ]]; then
    case $set in cpu) need=2 ;; full) need=7 ;; esac # GB, at the moment when both wheel and contents are there
    free=$(df -Pk "$store" | awk 'NR == 2 { print int($4 / 1e6) }')
    ((free >= need)) || die 1 "the $set set of LibTorch needs $need GB of disk while it is installed; $store has $free GB free"
    case $set in
      cpu) need="1.2 GB on disk; about a minute on a fast line, ten on a slow one" ;;
      full) need="4 GB on disk; a few minutes on a fast line, half an hour on a slow one" ;;
    esac
    say "fetching LibTorch 2.11.0 into $store ($set set, $need)"
    fetch "$set" "$arch" "$partial"
    mv -T "$partial" "$store/$name"
  fi
  ln -sfn "$name" "$store/next"
  mv -T "$store/next" "$store/current"
}

if [[ ${1:-} == --fetch ]]; then # for scripts/check_aarch64.sh: --fetch SET PROCESSOR FOLDER, and nothing else
  fetch "${@:2}"
  exit
fi
if [[ -n ${POSENC_TORCH_DIR:-} && ! -f $POSENC_TORCH_DIR/lib/libtorch_cpu.so ]]; then
  die 2 "POSENC_TORCH_DIR is no LibTorch (given '$POSENC_TORCH_DIR', allowed: a folder with lib/libtorch_cpu.so; unset it to have one fetched)"
fi
system_packages
[[ -n ${POSENC_TORCH_DIR:-} ]] || libtorch
[[ ${1:-} == --quiet ]] || say "ready, with LibTorch in ${POSENC_TORCH_DIR:-$(readlink -f "$store/current/torch")}"
