#!/usr/bin/env bash
# Builds posenc against another torch wheel (default: the newest on PyPI) and runs the tests, to see what still holds there:
# whether it builds, and which golden values, made with 2.11.0, differ. docs/PROTOCOL.md has the findings.
set -euo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
version=${1:-$(python3 -m pip index versions torch 2>/dev/null | sed -n 's/^torch (\(.*\))/\1/p')}
set_folder=$root/.libtorch/other-$version

if [[ ! -d $set_folder ]]; then
  rm -rf "$set_folder.partial"
  pip=(python3 -m pip install --quiet --root-user-action ignore --target "$set_folder.partial")
  "${pip[@]}" --no-deps "torch==$version"
  # The CPU half needs CUDA's run time and profiling interface to load, and nothing else of CUDA.
  toolkit=$(sed -n 's/^Requires-Dist: cuda-toolkit.*==\([0-9.]*\);.*/\1/p' "$set_folder.partial"/torch-*.dist-info/METADATA)
  "${pip[@]}" "cuda-toolkit[cudart,cupti]==$toolkit"
  mv "$set_folder.partial" "$set_folder"
fi

cmake -S "$root" --preset release -B "$root/build-$version" -DPOSENC_TORCH_DIR="$set_folder/torch"
cmake --build "$root/build-$version"
"$root/build-$version/posenc" --version
ctest --test-dir "$root/build-$version" --output-on-failure
