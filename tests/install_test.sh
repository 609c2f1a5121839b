#!/usr/bin/env bash
# An installed posenc runs after its folder was moved, finds LibTorch beside itself or where it was built against, and
# carries no path of the build folder.
set -euo pipefail
build=$1 torch=$2 version=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$scratch/first" > /dev/null
mv "$scratch/first" "$scratch/moved"
posenc=$scratch/moved/bin/posenc
[[ $("$posenc" --version | head -1) == "posenc $version" ]] || fail "the installed program does not run"
[[ -f $scratch/moved/share/posenc/configs/smoke.toml ]] || fail "the configurations are not installed"
if strings -a "$posenc" | grep -F "$build" > /dev/null; then fail "the build folder's path is in the installed program"; fi

# Beside it: a folder torch/ whose lib/ holds the libraries (links here, copies for a user).
mkdir "$scratch/moved/torch"
ln -s "$torch/lib" "$scratch/moved/torch/lib"
found=$(LD_TRACE_LOADED_OBJECTS=1 "$posenc" | awk '$1 == "libc10.so" { print $3 }')
[[ $found == "$scratch/moved/"* ]] || fail "LibTorch beside the program was not taken: $found"
