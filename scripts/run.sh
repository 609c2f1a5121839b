#!/usr/bin/env bash
# Builds posenc if needed, and runs it: with arguments `posenc ARGUMENTS`, without `posenc compare`, which trains with every
# encoding as the published script does. File names are relative to the current directory; stdout is posenc's alone.
# It knows one build folder and no options of the build; for others use cmake's presets.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$root/build

"$root/scripts/setup.sh" --quiet
torch=$(readlink -m "${POSENC_TORCH_DIR:-$root/.libtorch/current/torch}")

mkdir -p "$build"
exec 9>"$build/.lock"
flock -n 9 || { echo "waiting for another build in $build" >&2; flock 9; }

# The stamp says which LibTorch the folder was completely configured for.
if [[ ! -f $build/build.ninja || $(cat "$build/.configured" 2>/dev/null) != "$torch" ]]; then
  rm -f "$build/.configured"
  cmake -S "$root" --preset release -DPOSENC_TORCH_DIR="${POSENC_TORCH_DIR:+$torch}" >"$build/configure.log"
  echo "$torch" >"$build/.configured"
fi

jobs=$("$root/scripts/jobs.sh")

# Ninja says "[done/all] what" for every step, and nothing of the kind when there is nothing to do. A terminal shows each
# step, anything else a line every minute.
show_progress() {
  local line started="" next=0
  while IFS= read -r line; do
    [[ $line == '['*/*']'* ]] || continue
    if [[ -t 2 ]]; then
      printf '\rbuilding posenc %s ' "${line%% *}" >&2
    elif ((SECONDS >= next)); then
      echo "building posenc ${line%% *} ..." >&2
      next=$((SECONDS + 60))
    fi
    started=yes
  done
  [[ -z $started || ! -t 2 ]] || echo >&2
}
if ! NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$jobs" posenc 2>&1 | tee "$build/build.log" | show_progress; then
  cat "$build/build.log" >&2
  exit 1
fi

exec 9>&-
exec "$build/posenc" "${@:-compare}"
