#!/usr/bin/env bash
# install_test.sh BUILD LIBTORCH VERSION: an installed posenc runs after its folder was moved, says which LibTorch it
# needs, finds it beside itself or where it was built against, and carries no path of the build folder. With
# POSENC_BUNDLE_LIBTORCH it brings all that it needs of LibTorch. Its pages link to nothing that is not installed.
set -euo pipefail
build=$1 torch=$2 version=$3
source=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
# shellcheck disable=SC2016  # fences of code, which are left out
links() { sed '/^```/,/^```/d' "$1" | grep -oE '\]\([A-Za-z][^)#:]*' | cut -c 3- || true; } # links PAGE: the relative ones
loaded() { LD_TRACE_LOADED_OBJECTS=1 "$1" | awk '$2 == "=>" { print $3 }' | xargs realpath -s; } # loaded PROGRAM: the paths of its libraries

said=$(cmake --install "$build" --prefix "$scratch/first")
[[ $said == *"loads LibTorch from $torch/lib"* ]] || fail "installing does not say where LibTorch is taken from: $said"
[[ $torch != "$source"/* || $said == *"part of the source tree"* ]] || fail "it does not say that the clone is needed: $said"
mv "$scratch/first" "$scratch/moved"
posenc=$scratch/moved/bin/posenc
[[ $("$posenc" --version | head -1) == "posenc $version" ]] || fail "the installed program does not run"
[[ -f $scratch/moved/share/posenc/configs/smoke.toml ]] || fail "the configurations are not installed"
if strings -a "$posenc" | grep -F "$build" >/dev/null; then fail "the build folder's path is in the installed program"; fi

# Every relative link of an installed page leads to an installed file.
pages=0
while read -r page; do
  pages=$((pages + 1))
  while read -r link; do
    [[ -e $(dirname "$page")/$link ]] || fail "${page#"$scratch"/moved/} links to $link, which is not installed"
  done < <(links "$page")
done < <(find "$scratch/moved/share/doc" -name '*.md')
((pages > 2)) || fail "the pages are not installed"

# Beside it: a folder torch/ whose lib/ holds the libraries (links here, copies for a user).
mkdir "$scratch/moved/torch"
ln -s "$torch/lib" "$scratch/moved/torch/lib"
loaded "$posenc" | grep -q "^$scratch/moved/torch/lib/libc10.so" || fail "LibTorch beside the program was not taken"

# With its own LibTorch. A second configuration installs the program of the first.
bundle() { cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
  -DPOSENC_TORCH_DIR="$torch" -DPOSENC_BUNDLE_LIBTORCH=ON 2>&1; }
if [[ $("$posenc" --version) == *"CUDA linked"* ]]; then
  if said=$(bundle); then fail "CUDA's libraries were promised to be copied"; fi
  [[ $(tr -s ' \n' ' ' <<<"$said") == *"copies LibTorch for the CPU alone"*"-DPOSENC_CUDA=OFF"* ]] || fail "not said why: $said"
  exit 0
fi
bundle >/dev/null || fail "it cannot be configured with POSENC_BUNDLE_LIBTORCH"
cp "$build/posenc" "$scratch/build/posenc"
# Installing replaces the search path that the linker wrote, which has another length in each configuration.
sed -n 's|.*OLD_RPATH "\(.*\)"|file(RPATH_SET FILE "'"$scratch/build/posenc"'" NEW_RPATH "\1")|p' \
  "$scratch/build/cmake_install.cmake" >"$scratch/search_path.cmake"
cmake -P "$scratch/search_path.cmake"
said=$(cmake --install "$scratch/build" --prefix "$scratch/first")
mv "$scratch/first" "$scratch/whole"
posenc=$scratch/whole/bin/posenc
[[ $("$posenc" --epochs 1 --train-size 64 --val-size 8) == *"Epoch  1"* ]] || fail "the program does not train"
loaded "$posenc" | grep -q "^$scratch/whole/lib.*/libtorch_cpu.so" || fail "its own LibTorch was not taken"
stray=$(loaded "$posenc" | grep -vE "^($scratch/whole|/lib|/usr/lib)" || true)
[[ -z $stray ]] || fail "it needs what was not copied: $stray"
size=$(find "$scratch/whole" -path '*/lib*/posenc/*' -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1e6) }')
[[ $said == *"($size MB)"* ]] || fail "the size stated is not $size MB: $said"
find "$scratch/whole/share/doc" -path '*/licences/*' -name 'LICENSE*' | grep -q . || fail "LibTorch's licence is missing"
