#!/usr/bin/env bash
# parallel_test.sh POSENC: sweep-parallel.sh gives what one process gives, goes on after it was stopped, and names what is
# missing. Skipped (77) without GNU parallel, unless CI is set.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
POSENC=$(readlink -f "$1")
export POSENC
sweep=$here/../../scripts/sweep-parallel.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
# refuses WORDS COMMAND...: it exits 2 with these words
refuses() {
  local said status=0
  said=$("${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $said == *"$1"* ]] || fail "exit code $status instead of 2, or not '$1': $said"
}

# Without the package: a PATH with all that the script calls but parallel.
mkdir "$scratch/bin"
for program in dirname readlink; do ln -s "$(command -v "$program")" "$scratch/bin/"; done
refuses "apt-get install parallel" env PATH="$scratch/bin" "$BASH" "$sweep" "$scratch/none" 2

if [[ $(parallel --plain --version 2>/dev/null </dev/null) != "GNU parallel"* ]]; then
  [[ -z ${CI:-} ]] || fail "GNU parallel is missing"
  echo "skipped: GNU parallel is missing"
  exit 77
fi

refuses "number of processes" "$sweep" "$scratch/none" two
refuses "nearest: --seed" "$sweep" "$scratch/none" 2 --sed 1
[[ ! -e $scratch/none.shards ]] || fail "wrong options left a folder behind"

# A name with a space and parallel's replacement strings, which are to mean nothing.
out="$scratch/results {} {#}"
options=(--config "$here/sweep.toml" --seed 0..1)
"$POSENC" sweep "${options[@]}" --jobs 2 --out "$scratch/one"

# Stopped midway: SIGTERM ends the shards, and what they have finished counts.
"$sweep" "$out" 3 "${options[@]}" &
pid=$!
until cat "$out".shards/*/runs.jsonl 2>/dev/null | grep -q .; do
  kill -0 "$pid" 2>/dev/null || fail "it ended without a result"
  sleep 0.1
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
((status == 143)) || fail "exit code $status after SIGTERM instead of 143"
[[ ! -e $out ]] || fail "it merged although it was stopped"
for lock in "$out".shards/*/lock; do timeout 20 flock "$lock" true || fail "a shard goes on after SIGTERM"; done
before=$(cat "$out".shards/*/runs.jsonl | wc -l)
((before < 8)) || fail "it was stopped too late to mean something"

"$sweep" "$out" 3 "${options[@]}"
"$here/same_results.sh" "$scratch/one" "$out" 8
(($(cat "$out".shards/*/runs.jsonl | wc -l) == 8)) || fail "runs that were done were trained again"

# More processes than runs, and a run that fails: the rest is merged.
status=0
"$sweep" "$scratch/failed" 4 --config "$here/sweep.toml" --seed 0 --pos fixed --seq-len 6 --epochs 2,100000 \
  --timeout-per-run 4 || status=$?
((status == 1)) || fail "exit code $status with a failed run instead of 1"
(($(wc -l <"$scratch/failed/runs.jsonl") == 2)) || fail "a failed run kept the rest from being merged"
