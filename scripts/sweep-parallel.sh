#!/usr/bin/env bash
# A sweep on the cores of one machine with GNU parallel:  sweep-parallel.sh OUT N [options of posenc sweep]
# N processes at a time train a shard each, one run at a time, into OUT.shards/shard-1 to shard-N, and the results are
# merged into OUT. Stopped and called again with the same arguments, it goes on. POSENC names another program than
# build/posenc. `posenc sweep --jobs N` does the same with threads, without merging; this survives the death of a process.
# Exit: 0 good, 1 a run or a shard failed (the rest is merged), 2 bad usage, 130 interrupted, 143 terminated.
set -euo pipefail

die() { echo "sweep-parallel: $*" >&2; exit 2; }

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
posenc=$(readlink -m "${POSENC:-$root/build/posenc}")
usage="write: sweep-parallel.sh OUT N [options of posenc sweep]"
[[ $# -ge 2 && ${1:--} != -* ]] || die "a folder for the results and a number of processes are needed ($usage)"
[[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || die "the number of processes is not from 1 to 9999 (given '$2'; $usage)"
[[ $(parallel --plain --version 2>/dev/null </dev/null) == "GNU parallel"* ]] || # moreutils has another parallel
  die "GNU parallel is missing. Please type:  apt-get install parallel"
[[ -f $posenc && -x $posenc ]] || die "$posenc is not there: build it with scripts/run.sh --version, or set POSENC"
out=$(readlink -m "$1") shards=$2
shift 2
"$posenc" sweep "$@" --plan >/dev/null || exit # what is wrong with the options is said once, not N times

mkdir -p "$out.shards"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for ((i = 1; i <= shards; ++i)); do
  printf '%q ' "$posenc" sweep --shard "$i/$shards" --jobs 1 --out "$out.shards/shard-$i" "$@"
  echo
done >"$scratch/commands"

# In the background, so that a signal is heard at once; the shards get SIGTERM and keep every run that is finished.
stopped=0
for signal in INT TERM; do
  # shellcheck disable=SC2064  # the number is known now
  trap "stopped=$((128 + $(kill -l $signal))); kill -TERM \$! 2>/dev/null || true" "$signal"
done
PARALLEL_HOME=$scratch PARALLEL_SHELL=$BASH parallel --plain --will-cite --jobs "$shards" --tagstring 'shard {#}' --line-buffer \
  --termseq TERM,5000,KILL,100 --joblog "$scratch/log" <"$scratch/commands" >&2 &
status=0
wait $! || status=$?
while kill -0 $! 2>/dev/null; do wait $! || status=$?; done # a signal ends `wait` before its process ends
((stopped == 0)) || exit "$stopped"
trap - INT TERM

done_shards=()
for ((i = 1; i <= shards; ++i)); do
  if [[ -f $out.shards/shard-$i/runs.jsonl ]]; then
    done_shards+=("$out.shards/shard-$i")
  else
    status=1
  fi
done
# Exit code and signal are columns 7 and 8 of the log; 1 is a run that failed, which posenc has told.
awk -F '\t' 'NR > 1 && ($7 > 1 || $8 > 0) {
  print "sweep-parallel: shard " $1 " ended with " ($8 > 0 ? "signal " $8 : "exit code " $7) }' "$scratch/log" >&2
((${#done_shards[@]})) || exit 1
"$posenc" merge "${done_shards[@]}" --out "$out"
((status == 0)) || exit 1
