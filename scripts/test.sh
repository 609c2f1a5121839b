#!/usr/bin/env bash
# Builds everything and runs every test. Arguments go to ctest (-R REGEX, -L LABEL, -V, ...), and ctest's exit code comes back.
# It is what the CI runs and what to run before a change is offered. It tests the folder that run.sh builds.
# It is not the place for the sanitizers' build or the linters; .ci/run has those.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$root/build

"$root/scripts/setup.sh" --quiet
torch=$(readlink -m "${POSENC_TORCH_DIR:-$root/.libtorch/current/torch}")

mkdir -p "$build"
exec 9>"$build/.lock"
flock -n 9 || { echo "waiting for another build in $build" >&2; flock 9; }
rm -f "$build/.configured"
cmake -S "$root" --preset release -DPOSENC_TORCH_DIR="${POSENC_TORCH_DIR:+$torch}"
echo "$torch" >"$build/.configured" # for run.sh

jobs=$("$root/scripts/jobs.sh")
ninja -C "$build" -j "$jobs"
exec 9>&-

exec ctest --test-dir "$build" --output-on-failure "$@"
