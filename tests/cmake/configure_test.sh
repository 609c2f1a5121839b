#!/usr/bin/env bash
# configure_test.sh LIBTORCH: what configuring decides and says: the compiler's flags, the revision, a LibTorch that
# cannot be used, and which files a new encoding compiles.
set -euo pipefail
torch=$1
source=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset POSENC_TORCH_DIR CXXFLAGS
fail() { echo "FAILED: $*" >&2; exit 1; }

# A copy of the sources that may be changed.
(cd "$source" && tar c CMakeLists.txt CMakePresets.json cmake configs docs include src LICENSE README.md THIRD-PARTY.md) |
  tar x -C "$scratch"
configure() { cmake -S "$scratch" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
  -DBUILD_TESTING=OFF -DPOSENC_TORCH_DIR="$torch" "$@" 2>&1; }
one_line() { tr -s ' \n' ' '; }

# Flags: ours by default, the user's where given.
configure >"$scratch/log" || fail "$(cat "$scratch/log")"
grep -q 'FLAGS = .*-O2 -DNDEBUG' "$scratch/build/build.ninja" || fail "Release does not compile with -O2"
if grep -q 'FLAGS = -O3' "$scratch/build/build.ninja"; then fail "Release compiles with CMake's -O3"; fi

# A new encoding changes the piece that it is compiled in, and no other. The registry includes the table.
pieces() { (cd "$scratch/build" && find . -path '*/Unity/*.cxx' -exec sha256sum {} + | sort); }
pieces >"$scratch/before"
for kind in encoding task; do
  case $kind in
    encoding) entry=ENCODING folder=encodings like=kerple ;;
    task) entry=TASK folder=tasks like=first ;;
  esac
  cp "$scratch/src/$folder/$like.cpp" "$scratch/src/$folder/newcomer.cpp"
  sed -i "0,/^POSENC_${entry}(/s//POSENC_${entry}(newcomer)\n&/" "$scratch/src/$folder/$folder.def"
  configure >"$scratch/log" || fail "$(cat "$scratch/log")"
  pieces >"$scratch/after"
  changed=$(comm -13 "$scratch/before" "$scratch/after" | awk '{ print $2 }')
  [[ $(wc -w <<<"$changed") == 1 ]] || fail "a new $kind compiles more than its own piece:" "$changed"
  cp "$scratch/after" "$scratch/before"
  readers=$(cd "$scratch/src" && grep -rl "\"$folder/$folder.def\"" .)
  [[ $readers == "./$folder/registry.cpp" ]] || fail "more than the registry is compiled for a new $kind: $readers"
done

configure -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DOF_THE_USER" >/dev/null
grep -q 'FLAGS = .*-O1 -DOF_THE_USER' "$scratch/build/build.ninja" || fail "the user's CMAKE_CXX_FLAGS_RELEASE is not kept"

# The revision of a checkout that belongs to somebody else, and of none.
cat >"$scratch/revision.cmake" <<END
set(PROJECT_SOURCE_DIR "$scratch/checkout")
include("$source/cmake/GitRevision.cmake")
message(NOTICE "\${POSENC_GIT_REVISION}")
END
revision() { GIT_TEST_ASSUME_DIFFERENT_OWNER=1 cmake -P "$scratch/revision.cmake" 2>&1; }
mkdir "$scratch/checkout"
[[ $(revision) == unknown ]] || fail "the revision outside a checkout: $(revision)"
if command -v git >/dev/null; then
  git -C "$scratch/checkout" init -q
  [[ $(revision | one_line) == *"The revision is not known"*"unknown"* ]] || fail "a checkout without commits: $(revision)"
  git -C "$scratch/checkout" -c user.name=a -c user.email=a@b commit -q --allow-empty -m a
  [[ $(revision) == "$(git -C "$scratch/checkout" rev-parse --short HEAD)" ]] || fail "another's checkout: $(revision)"
fi

# A folder that is no LibTorch, and the torch folder of a wheel without its neighbour.
refused() { if configure "$@" >"$scratch/log"; then fail "configured with $*"; fi; one_line <"$scratch/log"; }
said=$(refused -DPOSENC_TORCH_DIR=/nope)
[[ $said == *"POSENC_TORCH_DIR=/nope is no LibTorch. Missing: the folder itself."* ]] || fail "/nope: $said"
mkdir -p "$scratch/alone/torch/lib"
ln -s "$torch/include" "$torch/version.py" "$scratch/alone/torch/"
ln -s "$torch/lib/libc10.so" "$scratch/alone/torch/lib/"
echo "int a;" | c++ -shared -x c++ - -o "$scratch/libcudart.so.999" -Wl,-soname,libcudart.so.999
echo "int b;" | c++ -shared -x c++ - -o "$scratch/alone/torch/lib/libtorch_cpu.so" -Wl,--no-as-needed \
  -x none "$scratch/libcudart.so.999"
said=$(refused -DPOSENC_TORCH_DIR="$scratch/alone/torch")
[[ $said == *"in the folder nvidia/ that pip installs beside torch/, and $scratch/alone has none: copy both"* ]] ||
  fail "a wheel's torch without nvidia: $said"
